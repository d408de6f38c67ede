"""What advertisements below videos say, in English and in Korean."""

from __future__ import annotations

import re
from typing import Final

# Oneself: channels, songs and pages of the writer's own

_THING: Final = r"""(?:
    chann?el+s?|pages?|profiles?|vid[ei]os?|vids?|covers?|songs?|music|tracks?|beats|singles?
        |mixtapes?
    |remix(?:es)?|parod(?:y|ies)|raps?|freestyles?|vlogs?|blog|website|site|group|link|band|store
    |shop|soundcloud|insta(?:gram)?|twitter|tiktok|twitch|patreon|kickstarter|e?book|content
        |clothing
    |project|tutorials?|album|podcast|reviews|let'?s\splays|sketches|parodies|stor(?:y|ies)|tape
        |dream|animations?|montages?|speedruns?|gameplays?|streams?|drawings?|comics?|thumbnails?
)\b"""
_KIN: Final = r"(?:friend|brother|sister|boyfriend|girlfriend|cousin|son|daughter|bro|buddy|mate)"
_MAKER: Final = r"""(?:
    youtuber|rapper|singer|artist|musician|band|producer|dj|songwriter|vlogger|gamer|duo|channel
    |comedian|filmmaker|company
)\b"""
_FAVOURITE: Final = r"(?!(?:favou?rite|fave?|all|life|wedding|childhood|new\sfav\w*)\b)"
OWN: Final = re.compile(
    rf"""
    \b(?:
    \b(?:my|our)\s(?:{_FAVOURITE}\w+\s){{0,2}}{_FAVOURITE}{_THING}
    | \bmy\s(?:\w+\s)?{_KIN}(?:'s)?\s(?:\w+\s){{0,3}}(?:made|did|posted|uploaded|covered|{_THING})
    | \b(?:song|cover|video|channel)\sby\smy\s | \bmy\s(?:\w+\s)?{_KIN}s?\sand\si\s(?:just\s)?
        (?:made|make|did|do|have|run|started|are\sa)\b
    | \b(?:i|we)(?:'m|\sam|\sare|'ve|\shave)?\s(?:\w+\s){{0,2}}(?:makes?|made|making|doing|did|do
        |post
        |posted|posting|upload(?:ed|ing)?|started|starting|produced?|rap|rapping|sing|singing|drop
        |dropped|run|wrote|recorded|released|launched|sell|cover
        |covered)\b\s?(?:\w+\s){{0,5}}{_THING}
    | \b(?:i(?:'m|\sam)|im|we(?:'re|\sare))\s(?:an?\s)?(?:[\w-]+\s){{0,5}}{_MAKER}
    | \b(?:small|new|upcoming|aspiring|young|struggling)\s(?:\w+\s)?{_MAKER}
    | \b(?:mixtape|single|album|ep|freestyle|remix)\sout\snow
    | \bdream\s(?:is\s)?(?:to\sbe(?:come)?|of\s(?:being|becoming))\s(?:an?\s)?(?:\w+\s)?{_MAKER}
    | \b(?:i'm|i\sam|im|we're|we\sare)\snew\s(?:to|on|here\son)\s(?:youtube|yt|this\ssite)\b
    )
    """,
    re.VERBOSE,
)
INVITATION: Final = re.compile(
    r"""
    \b(?:
    \b(?:go|come)\s(?:to|by|see|say|and|hang|check|look|like|over)\b
    | \b(?:stay\stuned|hang\sout|drop\sby|feel\sfree|rate|join\sus|help\sme|have\sa\slaugh)\b
    | \b(?:you|u)(?:'ll|\smight|\smay|\swill|\swould)\s(?:\w+\s)?(?:like|love|enjoy)\b
    | \blook\sat\s(?:my|our)\b | \b(?:leave|drop)\sa\s(?:comment|like) | \bsee\syou\sthere\b
    | \blet\sme\sknow\b | \bgive\s(?:us|me|it|them)\sa\b | \bany(?:one|body)\selse\smake
    | \bwanna\s(?:see|hear)
    | \b(?:pls|plz|please)\s(?:\w+\s)?(?:support|help|like|watch|listen|look|come|visit|check
        |read|share)\b
    | \bwould\slove\syour\b | \bbetter\sthan\sthis\b | \bif\s(?:u|you)\s(?:like|love|enjoy)\b
    | \b(?:and|or)\ssub\b
    | \bcheck\s(?:me|us|it|them)\b | \bcheck(?:ing)?\s(?:\w+\s){0,3}out\b | \bcheck\s?out\b
    | \bcheck\s(?:my|our|mine)\b
    | (?:(?<!\w\s)|\b(?:please|pls|plz|guys|just|go|and|you|come|to|also|then)\s)
        (?:please\s|pls\s)?(?:listen|visit|view|support|subscribe|watch\smy|see\smy|look\sat|hear
        |watch
        |see)\s(?:to\s)?(?:my|our|it|me|us|him|her|them|out|this|and)\b
    | \b(?:have|take)\sa\s(?:look|listen|peek)\b | \bmore\s(?:on|at|in)\s(?:my|our)\b
    | \bgive\s(?:\S+\s){1,4}(?:a\s)?(?:listen|chance|try|view|look|shot|sub|support)\b
    | \bfeedback\b | \b(?:tell|let)\s(?:me|us)\s(?:know\s)?what\s(?:you|u)\b
    | \bhope\s(?:you|u)\s(?:guys\s|all\s)?(?:like|enjoy)\b
    | \b(?:any|your|some)\s(?:support|subs?)\b
    | \bhelp\s(?:me|us)\s(?:\w+\s)?(?:grow|get|reach|out)\b
    | \bcome\s(?:listen|see|through|by|watch)
    | \bmeans?\s(?:a\slot|so\smuch|the\sworld|everything)\sto\sme | \bmean\sa\slot\b
    | \b(?:be|very|really|so)\s(?:grateful|appreciated)\b | \bmake\smy\sday\b
    | \byou\swon'?t\s(?:be\sdisappointed|regret)\b
    | \b(?:leave|drop|with)\s(?:a|me\sa)\s(?:like|sub)\b
    | \bhit\s(?:my|me)\b | \bclick\b | \bcheap\b | \blink\b | \bby\sthe\sway\b | \bfree\scopy\b
    | \bthumbs\sup\b | \blike\sthis\sso\b | \bsubscribe\b
    | \bon\s(?:amazon|soundcloud|spotify|itunes)\b
    )
    """,
    re.VERBOSE,
)
PROMOTION: Final = re.compile(
    rf"""
    \b(?:
    (?:(?<!\w\s)|\b(?:yo|hey|guys|please|pls|plz|and|so|go|just|come|also|then)\s)
        check\s(?:me|us|mine)\sout\b
    | \b(?:on|at)\smine\b.{{0,15}}\b(?:watch|look|check|see|come)\b
    | \bclick\s(?:here|below|(?:this|the)\slink)\s(?:to|for|and)\s
        (?:win|get|claim|join|download|watch|earn|free|see)\b
    | \bhack\s(?:any|your|an?)\s.{{0,20}}\baccounts?\b.{{0,30}}\b(?:message|contact|dm|text)\b
    | \bcheck(?:\s?out|ing\sout)?\s(?:my|our)\s(?:[\w-]+\s){{0,4}}{_THING}
    | \b(?<!i\s)(?<!we\s)(?<!they\s)(?:visit|see|watch|view|like|join|support|share|follow)
        \s(?:out\s)?(?:my|our)\s(?:\w+\s){{0,2}}{_THING} | \b(?:watch|see|hear|check\s?out)\smine\b
    | \bcheck\s?out\s(?:his|her|their|\w+'s)\s(?:\w+\s)?(?:channel|page|covers?|videos|remix)\b
    | \b(?:check\s?out|visit)\s(?:this|these|our)\s(?:\w+\s){{0,2}}
        (?:channel|page|website|site|playlist|video\son\syoutube)
    | \b(?:its?|it's|links?|more|full|found|post\w*|upload\w*|naked|live|cover)\s(?:\w+\s){{0,5}}
        (?:on|at)\s(?:my|our)\s(?:channel|page|profile|soundcloud)
    | \bplease\s(?:see|watch|hear|listen\sto)\sthis\s(?:song|video)\stoo
    # Subscribers and followers.
    | \bsub(?:scribes?|s|bed)?\s(?:to|2|for|4)\s(?:me|my|our|us|subs?)\b
    | \bsu[a-z]{{0,3}}cri?be?\s(?:to\s)?(?:me|my|our|us)\b
    | \bsub(?:s|scribers?|scribe)?\s(?:of\s|to\s)?each\sother\b
    | \bi?(?:'?ll|\swill)\s(?:sub\s(?:you|u|back)|subscribe\s(?:to\syours|back))\b
    | \b(?:got|have|there(?:'s|\sis|\sare))\s(?:\w+\s){{0,4}}on\s(?:my|our)\s(?:\w+\s)?channel\b
    | \b(?:my|our)\s(?:\w+\s)?channel\s(?:is\scalled|has\s(?:\w+\s){{0,2}}
        (?:vid(?:eo)?s|covers|content|tutorials|music|songs))
    | \b(?:trying|try|want|wanna|need|hop(?:e|ing)|goal|dream|wish)\b
        (?:(?!\b(?:you|u|he|she|they|him|her|this|it)\b).){{0,30}}
        \b\d[\d,.]*\s?k?\s(?:more\s)?(?:subs|subscribers)\b
    | \b(?:come|go)\s(?:and\s)?(?:watch|see|hear|listen\sto)\s(?:me|us)\b
    | (?:^|[.!]\s)(?:watch|listen\sto|stream|hear)\s["\u201c]
    | \b(?:insta(?:gram)?|ig|snap(?:chat)?|twitter|tiktok|kik)\s?[:=]\s?@?[\w.]{{3,}}
    | (?:^|[.!]\s|\b(?:please|pls|and)\s)follow\s@\w | \bsub\s?(?:4|for)\s?sub
    | \bsubscribe\s(?:my|me|us|our)\b | \b(?:sub|subscribe)\s(?:you\s)?back\b
    | \bsub\s(?:me|us)\b | \bif\s(?:you|u)\ssub\b | \btrad(?:e|ing)\ssubs\b
    | (?:(?<!\w\s)|(?:please|pleas|pls|plz|and|so|guys|people|also|then|go|just|everyone)\s)
        subscribe\b(?!\s(?:if\syou\shave|to\s(?:this|him|her|them|the|that|you|yo?ur|@)|button|twice|again))
    | \bsub\sif\b | \b(?:need|want|get)\s(?:\w+\s)?subs\b
    | \bif\si\s(?:get|reach|hit)\s\d[\d,.]*k?\s(?:sub|like)
    | \byoutube\.com/(?:user|channel|c|@)
    | \bforget\sto\ssubscribe\b
    | \b(?:get|make|help)\s(?:me|my\s\w+|us
        |our\s\w+)\s(?:\w+\s)?(?:to\s)?\d[\d,.]*\s?k?\s(?:subs\b|subscribers?|views)
    | \bsubscribers?,?\s(?:join|help)\sus\b
    | \bsubscribe\sto\severy(?:one|body)\swho | \breturn\sthe\sfavou?r
    | \b(?:who|to)\ssub\b | \bsub\sand\s
    | \b(?:by\ssubscribing|every\s(?:new\s)?subscriber\sgets)\b
    | \b\d+\s(?:likes|subs)\sand\si(?:'ll|\swill)\b
    | \bget\sme\sto\s\d[\d,.]*k?\s(?:subs|likes|views)
    | \bfollow\s@?\w+\s(?:\w+\s){{0,3}}follow\sback | \bsingles\sin\syour\sarea\b
    | \bsubscribe\b.{{0,20}}\b(?:i'?m|i\sam)\snew
    | (?<!\w\s)(?:(?:please|pls|plz)\ssub(?=\s?[.!,]|\s?$|\si\b|\sguys)|sub\s(?:please|pls|plz))
    | \b(?:go|please|pls)\ssubscribe\sto\s(?!(?:this|him|her|them|the|that|you|yo?ur?)\b)\w+
    | \b(?:check)\s(?:him|her|them)\sout\s?:
    | \bcheck\s?out\b.{{2,60}}\bsubscribe\sto\s(?:him|her|them)
    | \b(?:(?:help|get)\sme\s(?:get\s|reach\s|to\s|hit\s)*|trying\sto\s(?:get|reach|hit)\s
        |can\si\sget\s)
        \d[\d,.]*\s?k?\s(?:more\s)?(?:subs\b|subscribers)
    | \b(?<!i\s)follow\s(?:me|us)\b(?=\s(?:on|at|back|@|for)|\s?[:@])
    | \bfollow\smy\s(?:insta|ig|twitter)
    | \b(?:like|follow)\s?(?:4|for)\s?(?:like|follow)\b | \b[fl]4[fl]\b
    | \badd\sme\s(?:on|at|back|up)\b | \bjoin\smy\s(?:\w+\s)?(?:server|clan|group|discord)
    | \bi(?:'m|\sam)\sa\s(?:small|new|upcoming)\s(?:youtuber|channel|rapper|artist)
    | \b(?:click|tap|see|visit|view|touch)\s(?:on\s)?my\s(?:profile|bio|avatar|picture|name)\b
    | \blinks?\s(?:is\s|are\s)?(?:in|on)\smy\s(?:bio|profile|channel|page|about)
    | \b(?:hot|sexy|naked|nude|horny|lonely)\b.{{0,60}}\b(?:click|near\syou|my\s(?:profile|page
        |bio))
    # Favours: votes, petitions, collections, chains of letters.
    | \b(?<!i\s)(?<!we\s)vote\sfor\s(?:me|us|my|our)\b
    | \b(?:please|pls|everyone|everybody|guys|and)\s(?:\w+\s)?sign\s(?:this|the|my|our
        |a)\s(?:\w+\s)?petition
    | \b(?:please|pls)\s(?:\w+\s)?(?:donate|support\smy)\b | \bdonate\sto\s(?:help|my|our)\b
    | \b(?:please|help|support|share)\b.{{0,30}}\b(?:kickstarter|gofundme|indiegogo|go\sfund\sme)\b
    | \bhelp\s(?:us|me|him|her|my\s\w+|our\s\w+)\s(?:to\s)?(?:win|raise|fund|pay\sfor)\b
    | \b(?:like|liking|share|sharing)\s(?:my|our|this)\s(?:\w+\s)?page\b
    | \bstarting\sa\scharity\b
    | \b(?:send|post|paste|copy|repost|share)\sthis\s(?:\w+\s){{0,2}}(?:to|on|in
        |with)\s(?:at\sleast\s)?
        (?:\d+|ten|five|seven|fifteen|twenty)\s(?:other\s|more\s|of\syour\s)?
        (?:people|friends|videos|songs|pages|walls)
    # Searches, sales, prizes.
    | \b(?<!i\s)(?:search|type\sin)\s(?:for\s)?["'\u201c].{{3,60}}["'\u201d]
    | \bsearch\s(?:for\s)?\S.{{2,40}}\son\s(?:youtube|amazon|google|spotify|itunes|soundcloud)\b
    | \b(?:use|using|enter|with)\s(?:my|our)\s(?:promo|discount|coupon|referral|invit\w+|friend
        |creator|bonus)\s?code\b
    | \b(?:use|enter)\s(?:my|our)\scode\b(?!\s(?:from|in|for\s(?:this|that)\b))
    | \buse\s(?:the\s)?(?:promo\s|discount\s)?code\s\w+\s(?:for|to\sget)\s.{{0,10}}(?:%|off|free
        |\$)
    | (?:(?<!\w\s)|\b(?:go|please|pls|come|and|also)\s)(?:watch|view)\smy\b
        (?!\s(?:comment|reply|mouth|language|back|step))
    | \bwe\s(?:are|r)\sa\s(?:\w+\s){{0,3}}(?:company|studio|agency|brand|store)\b
    | \bwishlist\b.{{0,20}}\bsteam\b | \bask\sme\show\b
    | \b(?:i|we)\s(?:do|make|design|edit|build|sell|offer)\s.{{2,40}}
        \b(?:for\s[$€£]\s?\d|message\sme|dm\b|contact\sme)
    | \d\s?%\soff\b.{{0,20}}\bcode\b | \bcontact\sus\s(?:today|now|at|for)\b
    | \bi\ssell\s(?:\w+\s){{0,2}}(?:beats|websites?|merch)\b | \bhit\smy\s(?:inbox|dms?)\b
    | \bgiv(?:e|ing)\s?-?away\b.{{0,40}}\bon\s(?:my|our)\b
    | \bgiving\saway\s.{{2,30}}\b(?:on\s(?:my|our)|to\s(?:the\sfirst|every(?:one|body)\swho))\b
    | (?:^|[.!?]\s)(?:buy|get|order)\s(?:\w+\s){{0,3}}(?:views|likes|followers|subscribers)\b
        .{{0,30}}\b(?:cheap|here|at|from|fast|instant\w*|today|[$€£]\d)
    | \b(?:free|win|get|won)\s(?:an?\s|some\s|\d+\s)?(?:free\s)?(?:gift\s?cards?|vouchers?|robux
        |nitro
        |v-?bucks|iphones?|ipads?|ps5s?|gems|followers|subscribers)\b.{{0,40}}
        (?:https?:|www\.|\.com|\b(?:here|links?|click|profile|bio|survey|site|inbox)\b)
    | \byou(?:'ve|\shave)?\s(?:been\s)?(?:randomly\s)?(?:selected|won\sthe)\b
    | \b(?:dm|inbox|pm)\sme\b
    | \b(?:text|call|message)\s(?:me\s)?(?:on\s|at\s)?\d{{3}}[\s.-]?\d{{3}}
    | \bclaim\s(?:your|ur)\s(?:prize|reward|gift)
    )
    """,
    re.VERBOSE,
)


# Get-rich schemes and their contacts; miracle doctors and spell casters

_AMOUNT: Final = r"[$€£]\s?\d[\d,.]*k?(?!\s?(?:million|billion|m\b|bn\b))"
MONEY: Final = re.compile(
    rf"""
    \b(?:
    \b(?:earn(?:ed|ing|s)?|made?|makes?|making|profits?|withdraw\w*)\s.{{0,20}}{_AMOUNT}.{{0,30}}
        \b(?:online|home|trad\w+|invest\w*
            |(?:daily|weekly|(?:an?|per|every|each)\s(?:day|week|month|hour))\b.{{0,60}}
            \b(?:online|home|trad\w+|invest\w*|click\w*|links?|sites?|visit|laptop|phone|sitting))\b
    | (?<!they\s)(?<!we\s)(?<!you\s)(?<!people\s)(?<!i\s)\bget\spaid\s(?:to|for)\s
        (?:click|watch|typ|play|lik|tak|test|post|shar)\w*
    | \bearn\s(?:\w+\s){{0,2}}(?:money|cash|income|coins)\b.{{0,40}}
        \b(?:sign\sup|join|register|download|click|code|app\b.{{0,20}}\bhere)
    | \b(?:makes?|earn\w*)\s\d[\d,.]*\s(?:dollars|bucks|usd)\s(?:every|an|per|a)\s(?:hour|day
        |week|month)
    | \b(?:made|make|earn\w*|withdr[ae]w\w*)\s(?:me\s)?.{{0,12}}{_AMOUNT}.{{0,20}}
        \b(?:every|in\s(?:just|only|less))\b
    | \b(?:whats?\s?app|telegrams?)\b.{{0,20}}\b(?:him|her)\b
    | \b(?:he|she|they)(?:'s|'re|\sis|\sare)\s(?:\w+\s)?on\s(?:telegram|whats\s?app)\b
    | \b(?:text|message|dm|write|contact|reach|email|hit)\s(?:me|him|her|us)\s(?:up\s)?
        (?:on|at|via|through)\s(?:wh?ats?\s?app|telegrams?|\S+@|his|her|\+?\d)
    | \bcontact\s(?:mr|mrs|ms|miss|dr)\b
    | \binvest(?:ed|ing|ment)?\s(?:with|through)\s(?:mr|mrs|miss|expert|her|him)\b
    | \b(?:bitcoin|crypto|forex)\s(?:trading\s)?(?:expert|mentor|manager)\b
    | \btrading\swith\s(?:mr|mrs|ms|miss|expert|coach)\b
    | \b(?:dr|doctor|priest|prophet|herbalist|spell\s?caster)\b.{{0,80}}\b(?:cur(?:ed|ing)|herbs?
        |healed
        |brought\s(?:my|back)|spell)\b.{{0,120}}\b(?:contact|e?mail|reach|whats\s?app|channel)\b
    | \b(?:spell\s?caster|love\sspell)\b | \b(?:make|earn)\smoney\s(?:online|from\shome|fast)\b
    )
    """,
    re.VERBOSE,
)
ADVISER: Final = re.compile(
    r"\b(?:mr|mrs|ms|miss|coach|expert|madam)(?:\d|\.?\s[a-z]+)|@\w{4,}"
    r"|\b(?:my|a|the|best|her)\s(?:\w+\s){0,2}"
    r"(?:broker|advis[eo]r|account\smanager|mentor|fund\smanager)\b"
)
GAIN: Final = re.compile(
    r"\b(?:signals?|invest(?:ed|ing|ments?)?|trad(?:e|ed|er|es|ing)|crypto|bitcoin|btc|forex|fx\w*|withdr[ae]w\w*"
    r"|profits?|retired?|recovered|portfolio|financial|platform|paid)\b"
)
BENEFIT: Final = re.compile(
    r"\b(?:made\sme|paid\sme|for\sme|doubled|tripled|helped\sme|changed\smy\slife|thanks\sto|i\s(?:now\s)?(?:make|made|earn|withdraw)"
    r"|recovered|strateg(?:y|ies)|returns|look\s(?:her|him)\sup|message\s(?:him|her)"
    r"|(?:i\s)?ever\smade)\b"
)


# The same in Korean

_MESSENGER: Final = (
    r"(?:카톡|카카오톡|카톡\s?채널|오픈\s?(?:채팅|카톡|챗|톡)|텔레(?:그램)?|라인|디엠|dm|쪽지)"
)
_VISIT: Final = r"""(?:
    놀러|봐\s?줘|와\s?줘|구독\s?(?:부탁|해\s?주|좀|과)|방문|와\s?주|들러|들어\s?주|들으러|봐\s?주|보러\s?(?:오
        |와)|눌러|들어와
    |보실\s?수|부탁|있어요\s*$|들어봐|[듣보]고\s?가
)"""
KOREAN: Final = re.compile(
    rf"""
    (?:제|내|저희|우리|저의)\s?(?:[가-힣]+\s)?(?:유튜브|유튭|채널|블로그|영상|커버|노래|브이로그
        |방송|스토어|홈페이지|카페)

        (?!\s?(?:주인|님)).{{0,15}}{_VISIT}
    | (?:제|저희|저의)\s?채널\s?(?:에|도|로|좀)?\s?.{{0,4}}(?:오셔|오시|와서|클릭|구경|확인|검색)
    | (?:유튜버|유튜브|유튭|방송|채널|스트리머|부르는).{{0,6}}(?:입니다|이에요|예요|하는데|인데
        |합니다|고\d).{{0,20}}
        (?:구독|놀러|봐\s?주|들어)
    | (?:영상|노래|커버|게임|그림).{{0,8}}올리고\s?있.{{0,12}}{_VISIT} | 구독\s?꾹\s?(?:부탁|눌러)
    | 구독자\s?\d+\s?명.{{0,10}}만들어\s?드 | (?:상담|가입|체험)\s?신청\s?하세요
    | (?:디스코드|디코|카톡|텔레|라인|오픈톡|디엠)\s?으?로\s?(?:연락|문의|신청)\s?(?:주세|하세
        |바랍|주십)
    | 구독\s?(?:한\s?번씩?만?|좀)?\s?(?:눌러\s?주세요|부탁)
    | [선맞]팔\s?(?:갑니다|해요|하면|환영|해\s?주)
    | (?:저도|나도|저는|제가|초보|신입|새내기).{{0,10}}(?:유튜브|유튜버|채널|커버|영상).{{0,15}}
        (?:시작|올렸|올려|만들었|입니다|인데|했는데).{{0,20}}{_VISIT}
    | (?<![가-힣])맞\s?구(?:독|해|\s|$) | 구독\s?품앗이 | 서로\s?구독 | 선구독
    | 구독과\s?좋아요\s?(?:부탁|한\s?번만)
    | 구독\s?(?:해\s?주시면|부탁|하시면|오시면).{{0,15}}저도
    | 구독자\s?\d+\s?명.{{0,6}}(?:목표|도와|꿈)
    | (?:초보|신입|새내기)\s?(?:유튜버|크리에이터)\s?(?:입니다|예요|이에요|인데)
    | (?:단타|리딩|종목|코인|픽).{{0,20}}방\s?.{{0,8}}(?:오픈|입장|선착순)
    | 저희\s(?:가게|식당|카페|매장|업체).{{0,25}}(?:찾아\s?주|오세요|방문|이용해)
    | 19금.{{0,15}}프로필
    | 인스타\s?:?\s?@?[a-z][\w.]{{2,}}.{{0,15}}(?:놀러|팔로우|소통|오세요)
    | 월\s?\d{{2,4}}\s?(?:만\s?원?)?\s?(?:이상\s?)?(?:가능|보장|수익).{{0,20}}
        (?:문의|상담|연락|신청|프로필)
    | (?:프로필|프사|닉네임|닉)\s?(?:을|를)?\s?(?:클릭|눌러|터치)
    | (?:제|내)\s?(?:프로필|닉네임).{{0,8}}(?:있|클릭|확인|링크) | 프로필(?:에)?\s?링크
    | 링크\s?프로필 | 프로필\s?(?:에서?|을|를)?\s?(?:참고|참조|확인)(?!했|하니|하면)
    | (?:벌었|벌기|수익|투자|코인|부업).{{0,25}}프로필(?:에|에서)?\W*$
    | (?:무료|선착순|이벤트|나눔|상담).{{0,20}}(?:카톡|카카오톡)\s?(?:친구|채널)\s?추가
        (?!\W*\?|.{{0,6}}어떻게)
    | {_MESSENGER}\s?(?:으?로\s?)?(?:문의|상담|연락|추가)?\s?
        (?:하세요|주세요|주십|환영|바랍|남겨|문의\s*$|\S*\s?검색\s*(?:하세요|$))
    | (?:종목|픽|주식|코인).{{0,20}}(?:공유방|카톡방|톡방)
    | (?:오픈\s?채팅(?:방)?|단톡방|카톡방|공유방
        |디스코드(?:\s?서버)?|카페|정보방|리딩방|추천방)\s?(?:에
        |으?로)?\s?
        (?:들어오|놀러\s?오|가입하세|입장|오세요)
    # Money.
    | (?:부업|재택\s?(?:알바|근무)|투잡|수익\s?인증|무료\s?리딩|리딩방|급등주|종목\s?추천
        |자동\s?매매).{{0,40}}
        (?:문의|상담|카톡|텔레|링크|클릭|프로필|신청|입장|들어오|검색하)
    | (?:주식|코인|종목).{{0,30}}(?:무료로\s?받|리딩방|정보방|추천방|오픈\s?채팅|무료로\s?알려
        |복구\s?도와)
    | (?:월|하루|매일|한\s?달|일주일|만에)\s?.{{0,6}}\d+\s?(?:만|천|억).{{0,8}}(?:벌|수익).{{0,15}}
        (?:프로필|링크|방법|문의|카톡)
    | (?:리딩|프로|대표님|이사님|팀장님).{{0,15}}덕분에.{{0,30}}(?:벌었|수익)
    | (?:바카라|카지노|토토(?!로)|슬롯|파워볼|사다리|홀덤|배팅|베팅).{{0,25}}
        (?:사이트|주소|가입|쿠폰|보증|문의|검증|보너스|업체|체험|픽|바로\s?가기|첫\s?입금|안전한)
    | 릴\s?게임 | 무료\s?머니 | 바다\s?이야기.{{0,10}}(?:사이트|게임|무료)
    | 안전\s?놀이터 | 메이저\s?(?:사이트|놀이터) | [첫매]충(?=\s|\d|$) | 먹튀\s?(?:없|검증)
    | 유출픽 | 꽁머니
    | (?:당일|무직자|신불자|무서류|소액|작업)★?\s?.{{0,4}}(?:대출|승인)
    | 대출.{{0,12}}(?:당일|승인\s?가능|문의|상담\s?(?:환영|가능)|가능합니다|가능\s?문의)
    | (?:신용\s?불량|신불|무직|연체)자?.{{0,15}}(?:가능|승인)
    | (?:폰테크|소액\s?결제).{{0,20}}(?:현금|당일|시세|상담)
    | (?<!할인\s)코드\s?:?\s?(?=[a-z0-9]*\d)[a-z0-9]{{5,}} | 채널\s?추가\s?하세요
    | 프사.{{0,5}}눌러
    | (?:플레이\s?스토어|앱\s?스토어)에.{{0,12}}검색 | 애인\s?대행
    | 리딩.{{0,25}}(?:감사|덕분).{{0,20}}검색
    | 현금화.{{0,15}}(?:\d+\s?%|상담|문의|수수료|최저) | 급전.{{0,12}}(?:필요하신|연락)
    # Adult services, goods, searches.
    | 조건\s?만남 | 출장\s?(?:안마|마사지|샵) | 야동.{{0,6}}(?:사이트|링크|보러\s?가) | 섹파\s?구
    | (?:비아그라|시알리스|성인용품).{{0,15}}(?:판매|구매|문의|최저|할인)
    | 외로운.{{0,20}}(?:프로필|눌러)
    | (?:구독자|조회수|팔로워|좋아요).{{0,10}}(?:늘려\s?드|판매|늘리기.{{0,20}}(?:업체|문의|실제
        |저렴|드려))
    | (?:레플리카|미러급|최저가|정품급?|공구|공동구매).{{0,12}}(?:판매\s?(?:합|중|문의)|문의
        |진행\s?중|사이트)
    | (?:가입|추천인|초대)\s?코드\s?:?\s?[a-z0-9]{{4,}} | 추천인\s?[a-z]{{2,}}\d+
    | 가입하면.{{0,12}}(?:드려|드립|지급|받아)
    | (?:무료|이벤트|참여|신청|나눔).{{0,20}}링크 (?!\s?(?:있|좀|알려|어디))
    | 링크\s?(?:를\s?)?(?:클릭|눌러)
    | (?:무료|다시\s?보기|보는\s?곳).{{0,20}}(?:사이트\s|검색하세요)
    | (?:네이버|구글|유튜브)(?:\s?검색창)?에\s?.{{2,15}}\s?검색(?:하세요|해\s?(?:보세요|주세요)|$)
    | 검색하세요\s*$ | (?:링크|주소).{{0,4}}(?:동의|투표)해\s?주
    """,
    re.VERBOSE,
)
