"""The table of pages: every web page by its name, and which of them anybody may open. One that is not here fails."""

# Pages, by name: what anybody may open. All others are the signed-in holder's.
OPEN_PAGES = {
    *"erased erased-certificate share-link share-askew share-open".split(),
    *"unsubscribe guest invited limits notice space-notice healthz readyz verify verify-saved verify-program".split(),
}
PAGES = {
    *"home ask turn decide answer without inbox inbox-show approve reject rebase undo undo-batch decided lift".split(),
    *"approve-shown request request-decide".split(),
    *"ledger ledger-csv ledger-bundle disclosures ledger-live receipt receipt-file file file-add file-show".split(),
    *"file-then memory-mark memory-rescope memory-before memory-revert memory-reaffirm memory-resolve".split(),
    *"memory-cancel".split(),
    *"memory memory-correct memory-put-away memory-put-back memory-seal memory-opening turn-file".split(),
    *"grants register grant-narrow grant-stop grant-consent key-make client-pause client-stop key key-end".split(),
    *"client-local entities entity entity-merge link-end provenance provenance-check memory-about".split(),
    *"memory-same memory-merge merge-part check".split(),
    *"people seat invite invitation-withdraw delegation-end delegation-renew space-invite space-leave child".split(),
    *"going raising guardian guest-keep".split(),
    *"shares share-new share-links share share-stop share-link-stop".split(),
    *"space space-settings space-ledger member-end guarding-end".split(),
    *"emergency emergency-enter emergency-back emergency-leave emergency-reviews emergency-review".split(),
    *"you mail session-end erase erase-order erase-personal erasure erasure-certificate erasure-forget".split(),
    *"erasure-audit erasure-opening vault-erase".split(),
    *OPEN_PAGES,
}
