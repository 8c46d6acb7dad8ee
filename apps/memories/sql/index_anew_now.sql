-- Of every vault: words are made otherwise from here on.
SELECT gate.index_anew(NULL);
