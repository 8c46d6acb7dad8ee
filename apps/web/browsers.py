"""A browser and its system in a few words, out of the long line that browsers send of themselves."""

# The first that is found names it: Edge and Opera say Chrome too, Chrome says Safari, Android says Linux.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
SYSTEMS = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "a Mac"),
    ("Linux", "Linux"),
)


def named(user_agent: str) -> str:
    """`Firefox on Windows`, as it reads within a sentence; what is not known is not guessed: `a browser on Linux`,
    `Firefox`, `an unnamed browser`.
    """
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "")
    system = next((name for mark, name in SYSTEMS if mark in user_agent), "")
    if not browser and not system:
        return "an unnamed browser"
    return f"{browser or 'a browser'} on {system}" if system else browser
