"""Currencies: how pages write them, which one they mean, and prices as text.

A written mark decides. One that several currencies share means that of the page's language, else
that of the country of its domain; if neither decides it stays undecided, unless almost every page
means the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from urllib.parse import urlsplit


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _lists(text: str) -> list[tuple[str, list[str]]]:
    pairs = (each.split(":") for each in text.split())
    return [(name, values.split(",")) for name, values in pairs]


_COUNTRIES: Final = _lists("""
    AED:ae AFN:af ALL:al AMD:am AOA:ao ARS:ar AUD:au,cc,cx,hm,ki,nf,nr,tv AWG:aw AZN:az BAM:ba
    BBD:bb BDT:bd BGN:bg BHD:bh BIF:bi BMD:bm BND:bn BOB:bo BRL:br BSD:bs BTN:bt BWP:bw BYN:by
    BZD:bz CAD:ca CDF:cd CHF:ch,li CLP:cl CNY:cn COP:co CRC:cr CUP:cu CVE:cv CZK:cz DJF:dj
    DKK:dk,fo,gl DOP:do DZD:dz EGP:eg ERN:er ETB:et
    EUR:ad,at,ax,be,bl,cy,de,ee,es,eu,fi,fr,gf,gp,gr,hr,ie,it,lt,lu,lv,mc,me,mf,mq,mt,nl,pm,pt,re,si
    EUR:sk,sm,tf,va,xk,yt FJD:fj FKP:fk GBP:gb,gg,gs,im,je,uk GEL:ge GHS:gh GIP:gi GMD:gm GNF:gn
    GTQ:gt GYD:gy HKD:hk HNL:hn HTG:ht HUF:hu IDR:id ILS:il,ps INR:in IQD:iq IRR:ir ISK:is
    JMD:jm JOD:jo JPY:jp KES:ke KGS:kg KHR:kh KMF:km KPW:kp KRW:kr KWD:kw KYD:ky KZT:kz LAK:la
    LBP:lb LKR:lk LRD:lr LSL:ls LYD:ly MAD:eh,ma MDL:md MGA:mg MKD:mk MMK:mm MNT:mn MOP:mo
    MRU:mr MUR:mu MVR:mv MWK:mw MXN:mx MYR:my MZN:mz NAD:na NGN:ng NIO:ni NOK:bv,no,sj NPR:np
    NZD:ck,nu,nz,pn,tk OMR:om PAB:pa PEN:pe PGK:pg PHP:ph PKR:pk PLN:pl PYG:py QAR:qa RON:ro
    RSD:rs RUB:ru RWF:rw SAR:sa SBD:sb SCR:sc SDG:sd SEK:se SGD:sg SHP:sh SLE:sl SOS:so SRD:sr
    SSP:ss STN:st SYP:sy SZL:sz THB:th TJS:tj TMT:tm TND:tn TOP:to TRY:tr TTD:tt TWD:tw TZS:tz
    UAH:ua UGX:ug USD:as,bq,ec,fm,gu,io,mh,mp,pr,pw,sv,tc,tl,um,us,vg,vi,zw UYU:uy UZS:uz VES:ve
    VND:vn VUV:vu WST:ws XAF:cf,cg,cm,ga,gq,td XCD:ag,ai,dm,gd,kn,lc,ms,vc XCG:cw,sx
    XOF:bf,bj,ci,gw,ml,ne,sn,tg XPF:nc,pf,wf YER:ye ZAR:za ZMW:zm
""")
_HOME_CURRENCIES: Final = {country: code for code, countries in _COUNTRIES for country in countries}
"""Currencies by country, which is that of a domain or the region of a language."""
_GLOBAL_DOMAINS: Final = _codes("""
    ag ai am as bz cc co cx dj fm gg gs im io la lc ly me mn ms mu nu pw sc sh so st tc tk to tv vc
    vg ws
""")
"""Domains of countries that are used everywhere, for how they read."""

CODES: Final = frozenset(_HOME_CURRENCIES.values()) | {"HRK"}
_CODE_CHARS: Final = 3
_NO_DIGITS: Final = _codes("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF")
_THREE_DIGITS: Final = _codes("BHD IQD JOD KWD LYD OMR TND")
_WRITTEN_MILLS: Final = {".": _codes("BHD JOD KWD LYD OMR TND"), ",": _codes("TND")}
"""Currencies whose prices are written with three decimals after this mark: 12.500 KD."""
_BARE_DASH: Final = _codes("CHF CZK DKK EUR ISK NOK SEK")
"""Currencies whose prices may be written without a mark, but for a dash: 1299,-"""

_LANGUAGES: Final = dict(
    _lists("""
    am:ETB ar:EGP,SAR,AED,MAD,DZD,TND,JOD,LBP,KWD,QAR,BHD,OMR,IQD,SYP,LYD,YER,SDG az:AZN be:BYN
    bg:BGN bn:BDT,INR bs:BAM ca:EUR cs:CZK da:DKK de:EUR,CHF dv:MVR dz:BTN el:EUR
    en:USD,GBP,AUD,CAD,NZD,SGD,HKD,ZAR,INR,JMD,TTD,BBD,BSD,BZD,FJD,GYD,NGN,KES,GHS,PHP
    es:EUR,MXN,ARS,COP,CLP,PEN,UYU,USD,BOB,CRC,CUP,DOP,GTQ,HNL,NIO,PAB,PYG,VES et:EUR fa:IRR,AFN
    fi:EUR fo:DKK fr:EUR,CHF,CAD,XOF,XAF,MAD,DZD,TND,XPF ga:EUR he:ILS hi:INR hr:EUR,HRK hu:HUF
    hy:AMD id:IDR is:ISK it:EUR,CHF ja:JPY ka:GEL kk:KZT kl:DKK km:KHR ko:KRW ky:KGS lo:LAK
    lt:EUR lv:EUR mg:MGA mk:MKD mn:MNT ms:MYR,SGD,BND mt:EUR my:MMK nb:NOK ne:NPR nl:EUR,SRD
    nn:NOK no:NOK pl:PLN ps:AFN pt:BRL,EUR,AOA,MZN,CVE ro:RON,MDL ru:RUB,BYN,KZT,KGS,UAH si:LKR
    sk:EUR sl:EUR so:SOS sq:ALL,EUR sr:RSD,BAM sv:SEK,EUR sw:KES,TZS ta:INR,LKR,SGD tg:TJS
    th:THB tk:TMT tr:TRY uk:UAH ur:PKR,INR uz:UZS vi:VND zh:CNY,TWD,HKD,SGD,MOP
""")
)
"""The currencies of a language's countries, that of its main country first."""

_MARKS: Final = _lists("""
    AED:د.إ,dh,dhs AFN:؋,afs ALL:lekë,lek,l AMD:֏,դր AOA:kz ARS:$,ar$,$ar AUD:$,au$,a$,$au
    AWG:afl AZN:₼,man BAM:km,км BBD:$,bds$ BDT:৳,tk BGN:лв BHD:bd,د.ب BIF:fbu BMD:$,bd$ BND:$,b$
    BOB:bs BRL:r$ BSD:$,bs$ BTN:nu BWP:p BYN:br,\u0431\u0440,\u0440\u0443\u0431,\u0440 BZD:$,bz$
    CAD:$,ca$,c$,can$,$ca CDF:fc CHF:sfr,fr CLP:$,cl$ CNY:¥,￥,cn¥,元,rmb COP:$,col$,co$ CRC:₡
    CUP:$,cu$ CVE:esc CZK:kč,kc DJF:fdj DKK:kr,dkr DOP:$,rd$ DZD:د.ج,دج,da EGP:£,e£,ج.م,l.e,le
    ERN:nfk ETB:br,ብር EUR:€,euro,euros FJD:$,fj$ FKP:£,fk£ GBP:£,gb£ GEL:₾,ლ GHS:₵,gh₵,gh¢
    GIP:£,gi£ GMD:d GNF:fg GTQ:q GYD:$,gy$,g$ HKD:$,hk$,元 HNL:l HRK:kn HTG:g HUF:ft IDR:rp
    ILS:₪,nis INR:₹,rs,₨ IQD:د.ع,ع.د IRR:ریال,﷼ ISK:kr,ikr JMD:$,j$,jm$,ja$ JOD:jd,د.أ,د.\u0627
    JPY:¥,￥,円,jp¥ KES:ksh,kshs KGS:сом,som KHR:៛ KMF:cf KPW:₩,￦,원 KRW:₩,￦,원 KWD:kd,د.ك
    KYD:$,ci$ KZT:₸,тг LAK:₭,ກີບ LBP:ل.ل,£,l.l,ll LKR:රු,rs,₨ LRD:$,ld$,l$ LSL:m LYD:ld,ل.د,د.ل
    MAD:د.م,dh,dhs MDL:lei,l MGA:ar MKD:ден,den MMK:ks,k MNT:₮,төг MOP:mop$ MRU:um,أ.م MUR:rs,₨
    MVR:rf,mvr MWK:mk MXN:$,mx$,$mx MYR:rm MZN:mt,mtn NAD:$,n$ NGN:₦ NIO:c$ NOK:kr,nkr
    NPR:रू,rs,₨ NZD:$,nz$,$nz OMR:ر.ع,﷼ PAB:b/ PEN:s/ PGK:k PHP:₱ PKR:rs,₨ PLN:zł,zl PYG:₲,gs
    QAR:qr,ر.ق,﷼ RON:lei RSD:din,дин RUB:₽,\u0440\u0443\u0431,\u0440 RWF:frw,rf SAR:ر.س,sr,﷼
    SBD:$,si$ SCR:rs,₨,sr SDG:ج.س,£ SEK:kr,skr SGD:$,s$,$sg SHP:£,sh£ SLE:le SOS:ssh SRD:$,sr$
    SSP:£,ss£ STN:db SYP:ل.س,£,s£ SZL:e THB:฿,บาท TJS:смн TMT:m TND:dt,د.ت TOP:t$ TRY:₺,tl
    TTD:$,tt$ TWD:$,nt$,元 TZS:tsh,tshs UAH:₴,грн UGX:ush USD:$,us$,u$s,$us UYU:$,$u,ur$
    UZS:so\u02bbm,so'm,сўм,сум VES:bs VND:₫,đ,vnđ VUV:vt WST:$,ws$ XAF:fcfa XCD:$,ec$ XCG:cg
    XOF:cfa,fcfa XPF:cfpf,fcfp YER:ر.ي,﷼ ZAR:r ZMW:zk,k
""")


def _by_mark() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for code, marks in _MARKS:
        for mark in marks:
            found[mark].append(code)
    return {mark: tuple(codes) for mark, codes in found.items()}


CURRENCY_SIGNS: Final = _by_mark()
"""The currencies of each sign or short name, in lower case."""

_COMMON: Final = {
    "$": "USD",
    "£": "GBP",
    "₩": "KRW",
    "￦": "KRW",
    "원": "KRW",
    "元": "CNY",
    "c$": "CAD",
    "lei": "RON",
    "\u0440\u0443\u0431": "RUB",
    "\u0440": "RUB",
    "bd$": "BMD",
    "s£": "SYP",
}
"""What a shared sign means on almost every page of no country that says otherwise."""

_FREE_WORDS: Final = frozenset(
    {
        "kr",
        "rs",
        "zł",
        "kč",
        "euro",
        "euros",
        "rmb",
        "원",
        "円",
        "元",
        "บาท",
        "грн",
        "лв",
        "lei",
        "fcfa",
    }
    | {"ksh", "ush", "tsh", "sfr", "nkr", "skr", "dkr", "\u0440\u0443\u0431", "nis", "cfpf", "fcfp"}
)
"""Names that mean nothing else; others mean a currency only where it is at home: 6 ft, 5 l."""
_WORD_CODES: Final = _codes("""
    ALL AMD BAM BIF COP CUP DOP GEL KIP LAK MAD MOP MUR PEN RON SAR SLE SOS STN TOP TRY VES
""")
"""Codes that are also words."""
_LOWER_CODES: Final = _codes("CHF CZK DKK EUR GBP HUF JPY KRW PLN USD")
"""Codes that are not a word in any language, in upper or lower case."""
_FRANCS: Final = ("CFA", "CFP")
_GAPS: Final = re.compile(r"[\s.]+")
_AROUND_MARK: Final = " .\u00a0\u200f\u200e"


@dataclass(frozen=True)
class Home:
    """Where a page is from, as far as it matters for its currency."""

    currency: str | None = None
    """That of its region, its language or its country, if one is known."""
    languages: tuple[str, ...] = ()
    """Those of the countries of its language, that of the main one first."""

    def choose(self, mark: str, shared: tuple[str, ...]) -> str | None:
        """The currency that a shared mark means here; None if that is undecided."""
        if self.currency in shared:
            return self.currency
        spoken = [each for each in self.languages if each in shared]
        common = _COMMON.get(mark)
        if len(spoken) == 1:
            return spoken[0]
        is_main = bool(spoken) and common == spoken[0] == self.languages[0]
        return common if is_main or not spoken else None

    @property
    def dash_currency(self) -> str | None:
        """What a price means that has a dash for its decimals and no other mark."""
        return self.currency if self.currency in _BARE_DASH else None

    def has(self, currency: str | None) -> bool:
        """Whether a currency is at home here."""
        return currency is not None and currency in (self.currency, *self.languages)


NOWHERE: Final = Home()


def parse_currency(mark: str, home: Home = NOWHERE) -> str | None:
    """The ISO code of a currency as declared; ``home`` decides among those of one sign."""
    name = mark.strip(_AROUND_MARK).lower()
    if len(name) == _CODE_CHARS and name.upper() in CODES:
        return name.upper()
    shared = CURRENCY_SIGNS.get(name, ())
    return shared[0] if len(shared) == 1 else home.choose(name, shared) if shared else None


@dataclass(frozen=True)
class Mark:
    """A written mark of a currency; None where it is undecided which."""

    currency: str | None


def written_currency(mark: str, home: Home = NOWHERE) -> Mark | None:
    """The currency of a mark in text for people, where it may be an ordinary word."""
    name = mark.strip(_AROUND_MARK)
    if name.startswith("F") and name.upper().endswith(_FRANCS):  # 500 F CFA, 500 F.CFA
        name = _GAPS.sub("", name)
    code, sign = name.upper(), name.lower()
    currency = parse_currency(name, home)
    if len(code) == _CODE_CHARS and code in CODES:
        is_clear = code in _LOWER_CODES or (name.isupper() and code not in _WORD_CODES)
        return Mark(code) if is_clear or home.has(code) else None
    if sign not in CURRENCY_SIGNS:
        return None
    is_word = sign.isalpha() and sign not in _FREE_WORDS
    return Mark(currency) if not is_word or home.has(currency) else None


def shared_currency(sign: str, word: str) -> str | None:
    """The currency of a shared sign with a code or a country beside it: $ and CAD, $ and AU."""
    shared = CURRENCY_SIGNS.get(sign.strip(_AROUND_MARK).lower(), ())
    if word in shared:
        return word
    joined = CURRENCY_SIGNS.get(f"{word}{sign}".lower(), ())
    return joined[0] if len(joined) == 1 and joined[0] in shared else None


def writes_mills(currency: str | None, mark: str) -> bool:
    """Whether three digits after a mark are decimals of this currency."""
    return currency in _WRITTEN_MILLS.get(mark, ())


def minor_digits(currency: str | None) -> int:
    """Decimal digits of a currency; two if it is unknown."""
    if currency in _NO_DIGITS:
        return 0
    return 3 if currency in _THREE_DIGITS else 2


_REGION: Final = re.compile(r"[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})\b", re.IGNORECASE)
_DEFAULT_LANGUAGE: Final = "en-us"
"""What many templates say, wherever the shop is."""


def home_of(address: str, language: str | None) -> Home:
    """The home of a page, by its language and its region, else by the country of its domain."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    name = (language or "").strip().lower().replace("_", "-")
    domain = host.rpartition(".")[2]
    by_domain = None if domain in _GLOBAL_DOMAINS else _HOME_CURRENCIES.get(domain)
    found = _REGION.match(name)
    by_region = _HOME_CURRENCIES.get(found[1]) if found else None
    if name == _DEFAULT_LANGUAGE:
        by_region = by_domain or by_region
    spoken = tuple(_LANGUAGES.get(name.partition("-")[0], ()))
    by_language = spoken[0] if len(spoken) == 1 else None
    return Home(by_region or by_language or by_domain, spoken)


def price_text(price: int | None, currency: str | None) -> str | None:
    """A price in whole units of its currency; None if it is unknown."""
    if price is None:
        return None
    digits = minor_digits(currency)
    amount = f"{Decimal(price).scaleb(-digits):,.{digits}f}"
    return f"{amount} {currency}" if currency else amount
