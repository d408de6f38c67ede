"""Everything Gotgan raises on purpose, in one tree.

    GotganError
    ├── UsageError              a command or call was given words it cannot take
    ├── SettingsError           an environment variable holds a value that cannot be used
    ├── DeclarationError        a table, entity or access pattern is declared so that it cannot work
    ├── Unauthenticated         nobody stands behind the token, or nobody any more
    ├── Forbidden               the role is too small for what was asked
    ├── Interrupted             the program ended before the work did
    ├── BackupError             a backup could not be written or restored
    │   ├── BackupDamaged       the file is damaged or not a backup of Gotgan
    │   └── BackupTooNew        the backup was made by a later version of Gotgan
    ├── NotFound                there is nothing under that id
    ├── Conflict                what was asked goes against what is there
    │   ├── IdTaken             there is something under that id already
    │   ├── SlugTaken           another category has that slug
    │   ├── CategoryHasPosts    a category with posts or drafts cannot be deleted
    │   └── OwnAccount          nobody takes away their own account or role
    ├── SlugImmutable           the slug of a category is never changed
    ├── VersionRequired         a change does not say for which version of the record it is
    ├── RateLimited             somebody wrote too often; they may write again later
    ├── MailFailed              a mail could not be sent; it stays queued
    │   └── MailUnreachable     the mail server did not answer, or did not let us in
    ├── MigrationError          old tables cannot be read, matched or removed
    ├── FetchError              the web did not give what was asked for
    │   ├── AddressRefused      an address that must not be opened, or that is none
    │   │   └── PrivateName     a name that leads into this network, at least now
    │   ├── LeadsElsewhere      a redirect to another site than the one that was meant
    │   ├── RobotsDisallowed    the site's robots.txt asks not to fetch it
    │   ├── RobotsUnavailable   the site answered, but not with its robots.txt
    │   ├── TooManyRedirects    redirects led in a circle, or on and on
    │   ├── TooLarge            the answer is larger than allowed, as sent or unpacked
    │   ├── Unreachable         no connection, or it broke off
    │   ├── FetchTimeout        it took too long
    │   ├── Truncated           the answer ended before its end
    │   ├── Undecodable         the answer is packed in a way that cannot be undone
    │   ├── NotRecorded         a replay has no answer for this
    │   └── BadStatus           the server said no
    │       ├── PageForbidden   401, 403 or 451: it does not want us to have this
    │       ├── PageMissing     404 or 410: there is nothing there, or nothing any more
    │       ├── TooManyRequests 429: we ask too often
    │       └── ServerTrouble   5xx: the server has a fault of its own
    ├── PageError               what came is not the page that was meant
    │   ├── ConsentPage         the site asks for consent first
    │   ├── BlockPage           the site took us for a robot that it does not want
    │   ├── NoStories           a list page without a single story: its shape has changed
    │   ├── TruncatedPage       a page that ends in the middle
    │   ├── WrongContentType    something else than the kind of document that was asked for
    │   └── UnknownShape        an article in which no text was found
    ├── DatabaseTooNew          the relational database was written by a later version of Gotgan
    ├── DatabaseUnavailable     the relational database cannot do what was asked
    │   └── DatabaseReadOnly    it, or the folder of its file, cannot be written
    ├── TableUnusable           an existing table cannot be taken over
    ├── ProviderError           a provider of prices did not give what was asked for
    │   ├── ProviderBlocked     it does not want to hear from us for a while
    │   ├── LoginRefused        it does not let us in
    │   │   └── PasswordExpired it wants a new password first
    │   ├── SessionEnded        it has forgotten that we logged in
    │   └── BadMarketAnswer     no rows, half of them, or garbage
    ├── MarketClosed            there was no trading on that day
    ├── VerifyFailed            what was stored is not what was fetched, or too little
    ├── AnalysisError           an analysis could not be made; nothing of it was saved
    │   ├── UpstreamUnavailable YouTube or a model gave no answer
    │   ├── KeyRefused          a key is missing, wrong, or may not do what was asked
    │   ├── UpstreamBusy        YouTube or a model wants to be asked less often
    │   │   ├── QuotaExhausted  the units of the day are used up
    │   │   └── RefreshTooSoon  a video was analysed again less than ten minutes ago
    │   ├── VideoMissing        there is no such video, or it is not public
    │   ├── AnalysisTimeout     it took longer than an analysis may take
    │   └── OutputInvalid       what the analyser said is not the shape of a result
    ├── SinkFailed              changes could not be handed over; they are kept
    ├── BadUpload               what was handed over to be stored is not what it should be
    └── StoreError              the store could not do what was asked
        ├── BadCursor           a page's cursor was changed, or belongs to another query
        ├── BadDump             a file to load is not what it should be
        ├── BadItem             what is stored does not fit the entity that it should be
        ├── BadKeyPart          a value cannot be part of a key
        ├── NotRead             a field was asked for that an index or a projection left out
        ├── StaleIndexKey       a change by key alone would leave an index key behind
        ├── KeyCollision        two different things have the same key
        ├── ConditionFailed     the item was not as it had to be; nothing was written
        │   ├── ItemMissing     there is no item to change
        │   ├── LostRace        somebody else has the claim
        │   └── VersionConflict the item was changed by somebody else since it was read
        ├── TransactionFailed   a transaction was refused; nothing of it was written
        ├── OutcomeUnknown      the answer to a write was lost, and it must not be sent twice
        ├── StoreUnreachable    the database did not answer
        ├── TableMissing        there is no such table or index where the store looks for it
        ├── IndexMissing        a read needs an index that the table does not have
        ├── StoreFileError      the file of the embedded engine cannot be used
        │   ├── StoreClosed     the engine was closed
        │   ├── StoreCorrupt    SQLite says the file is damaged
        │   ├── StoreForeign    a SQLite file, but not one of ours; or no SQLite file at all
        │   ├── StoreFull       there is no space left on the disk
        │   ├── StoreLocked     another program has held the file's lock for too long
        │   ├── StoreReadOnly   the file or its folder cannot be written
        │   └── StoreTooNew     written by a later version of Gotgan
        └── DynamoDBError       what DynamoDB's API answers, under AWS's own codes
                                (one class per code, in gotgan.store.engine.faults)

Each class has a ``code`` that programs can compare, and says with ``retry`` whether the same call
may succeed later without anybody changing anything.
"""

from __future__ import annotations

from gotgan.errors.domains import *
from gotgan.errors.root import *
from gotgan.errors.store import *
from gotgan.errors.web import *
