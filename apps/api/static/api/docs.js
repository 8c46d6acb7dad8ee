// The reference page: Swagger UI from our own files, on our own document. A signed-in holder's calls carry the CSRF
// token; a key is typed into "Authorize" and kept nowhere.
const place = document.getElementById("reference");

function token() {
  const found = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  return found ? decodeURIComponent(found[1]) : "";
}

SwaggerUIBundle({
  url: place.dataset.document,
  domNode: place,
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor(request) {
    if (!request.headers.Authorization && token()) request.headers["X-CSRFToken"] = token();
    return request;
  },
});
