"""Everything Gotgan raises on purpose, in one tree.

    GotganError
    ├── UsageError              An argument, option or call is invalid
    ├── SettingsError           A setting has an invalid value
    ├── DeclarationError        A table, entity, access pattern or domain is declared incorrectly
    ├── Unauthenticated         The token is missing, wrong, expired or revoked
    ├── Forbidden               Your role does not allow this
    ├── Interrupted             The program stopped before the work finished
    ├── BackupError             A backup could not be written or restored. Earlier backups are kept
    │   ├── BackupDamaged       The file is damaged or not a Gotgan backup. Nothing was restored
    │   └── BackupTooNew        The backup was made by a later version of Gotgan
    ├── ExportError             An export could not be completed. Written files are complete
    ├── NotFound                There is nothing with this ID
    ├── Conflict                The request conflicts with what is stored or running
    │   ├── IdTaken             This ID is in use already. The existing record is unchanged
    │   ├── SlugTaken           Another category has this slug
    │   ├── CategoryHasPosts    The category has posts or drafts. Move or delete them first
    │   └── OwnAccount          You cannot remove your own account or role
    ├── SlugImmutable           The slug of a category cannot change, because URLs contain it
    ├── VersionRequired         A change must name the version of the record that it is for
    ├── RateLimited             Too many requests. Wait and try again
    ├── MailFailed              An e-mail could not be sent. It stays queued and is retried
    │   └── MailUnreachable     The mail server did not answer or refused the login
    ├── MigrationError          Old tables cannot be read, matched or removed
    ├── FetchError              A web request failed
    │   ├── AddressRefused      The URL is invalid or must not be opened from here
    │   │   └── PrivateName     The host name resolves to a private or local address
    │   ├── LeadsElsewhere      A redirect leads to another site. It was not followed
    │   ├── RobotsDisallowed    Blocked by robots.txt
    │   ├── RobotsUnavailable   Could not fetch robots.txt, so nothing was fetched. Try again later
    │   ├── TooManyRedirects    There were too many redirects
    │   ├── TooLarge            The response is too large, as sent or decompressed
    │   ├── Unreachable         Could not connect, or the connection broke
    │   ├── FetchTimeout        The request timed out
    │   ├── Truncated           The response ended early
    │   ├── Undecodable         The response cannot be decoded
    │   ├── NotRecorded         The replay has no response for this request. Record it first
    │   └── BadStatus           The server answered with an error status
    │       ├── PageForbidden   The server refused access: 401, 403 or 451
    │       ├── PageMissing     The page does not exist: 404 or 410
    │       ├── TooManyRequests The server limits the rate of requests: 429. Wait and try again
    │       └── ServerTrouble   The server failed: 5xx. Try again later
    ├── PageError               The response is not the expected page. Nothing was written
    │   ├── ConsentPage         The site asks for consent first
    │   ├── BlockPage           The site is blocking or rate-limiting requests
    │   │   └── CaptchaPage     The site asks for a captcha
    │   ├── NoStories           The list page has no stories. Its layout may have changed
    │   ├── TruncatedPage       The page is incomplete. Try again
    │   ├── WrongContentType    The response has an unexpected content type
    │   ├── UnknownShape        No article text was found. The layout may have changed
    │   ├── PageTakenDown       The page says that it does not exist, though its status is 200
    │   ├── NeedsScripts        There is nothing to read: scripts would fill the page
    │   └── NotAnArticle        The page is a list, an index or a quote, not an article
    ├── DatabaseTooNew          The database was written by a later version of Gotgan
    ├── DatabaseUnavailable     The relational database did not answer or could not do this
    │   └── DatabaseReadOnly    The relational database, or the folder of its file, is read-only
    ├── TableUnusable           An existing table cannot be adopted. Nothing was changed
    ├── ProviderError           A price provider failed to deliver
    │   ├── ProviderBlocked     The provider blocks requests for a while. Asking again prolongs it
    │   ├── LoginRefused        The provider refused the login: credentials are missing or wrong
    │   │   └── PasswordExpired The provider asks for a new password first
    │   ├── SessionEnded        The provider's session has expired
    │   └── BadMarketAnswer     The provider's response is empty, incomplete or malformed
    ├── MarketClosed            The market was closed on this day
    ├── VerifyFailed            The stored prices differ from the fetched ones, or are too few
    ├── AnalysisError           An analysis failed. Nothing of it was saved
    │   ├── UpstreamUnavailable YouTube or the AI model did not answer. Try again later
    │   ├── KeyRefused          An API key is missing, wrong or not allowed to do this
    │   ├── UpstreamBusy        YouTube or the AI model limits the rate of requests
    │   │   ├── QuotaExhausted  The daily YouTube quota is used up
    │   │   └── RefreshTooSoon  The video was analysed again less than ten minutes ago
    │   ├── VideoMissing        The video does not exist or is not public
    │   ├── AnalysisTimeout     The analysis took too long
    │   └── OutputInvalid       The AI model's output is not a valid result
    ├── BadSource               The URL cannot be added as a source of news. Nothing was added
    ├── SinkFailed              The webhook did not accept the changes. They are kept and sent again
    ├── BadUpload               The uploaded data is invalid. Nothing was written
    └── StoreError              The store could not do this
        ├── BadCursor           The cursor was changed, or belongs to another query or secret
        ├── BadDump             The file is not a valid dump of this table
        ├── BadItem             A stored item does not match its entity. It is left unchanged
        ├── BadKeyPart          A value cannot be part of a key
        ├── NotRead             The index or projection does not include this field
        ├── StaleIndexKey       A change by key alone would leave a stale index key
        ├── KeyCollision        Two different items have the same key. The stored one is kept
        ├── ConditionFailed     The item is not in the expected state. Nothing was written
        │   ├── ItemMissing     There is no item to change
        │   ├── LostRace        Another worker has the claim
        │   └── VersionConflict The item was changed since it was read
        ├── TransactionFailed   The transaction was refused. Nothing was written
        ├── OutcomeUnknown      The response to a write was lost
        ├── StoreUnreachable    The database did not answer
        ├── TableMissing        The table or index does not exist
        ├── IndexMissing        The read needs an index that the table does not have yet
        ├── StoreFileError      The file of the embedded engine cannot be used. It is left unchanged
        │   ├── StoreClosed     The engine is closed
        │   ├── StoreCorrupt    SQLite reports that the file is damaged
        │   ├── StoreForeign    The file is not a SQLite file, or not one of Gotgan's
        │   ├── StoreFull       The disk is full. What was written before is safe
        │   ├── StoreLocked     Another program held the lock of the file for too long
        │   ├── StoreReadOnly   The file or its folder is read-only
        │   └── StoreTooNew     The file was written by a later version of Gotgan
        └── DynamoDBError       errors of the DynamoDB API, with AWS's codes
                                (one class per code, in gotgan.store.engine.faults)

Each class has a ``code`` for programs to compare. ``retry`` says whether the same call may succeed
later without a change. The message is a sentence for people; if it is a ``Message``, ``reason`` and
``values`` say exactly what went wrong.
"""

from __future__ import annotations

from gotgan.errors.domains import *
from gotgan.errors.root import *
from gotgan.errors.store import *
from gotgan.errors.web import *
