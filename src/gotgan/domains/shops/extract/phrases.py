"""The phrases of shops in many languages, one table for each meaning, and finding them in texts.

English, German, French and Korean are complete; the others are here because a button is a button
everywhere. ``#`` matches any positive number.

Phrases of buttons and stock match whole: after them comes nothing, or a remark that leaves their
meaning ("in stock, ships tomorrow"; not "in stock soon" and not "buy now, pay later"); a ``*`` at
the end allows any words after it. Phrases of the other tables match every text that begins with
them, and a ``$`` at the end matches only the whole text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

WHOLE_TEXT: Final = "$"
OPEN_END: Final = "*"


def _phrases(*lines: str) -> tuple[str, ...]:
    return tuple(phrase.strip() for line in lines for phrase in line.split("|"))


_BUY: Final = _phrases(
    # English
    "add to cart|add to bag|add to basket|add to trolley|add to tote|add to your cart",
    "add to cart now|add # to cart|add all to cart|add to your bag|add to your basket",
    "add to my bag|add to shopping bag|add to shopping cart",
    "add item to cart|buy|buy now|buy it now|buy this|buy online|order now|purchase|purchase now",
    # German
    "in den warenkorb|zum warenkorb hinzufügen|in den einkaufswagen|in die einkaufstasche",
    "in den korb|in warenkorb|in den warenkorb legen|in die einkaufstasche legen|jetzt kaufen",
    "sofort kaufen|sofort-kaufen|kaufen",
    "jetzt bestellen|bestellen",
    # French
    "ajouter au panier|ajouter dans le panier|mettre dans le panier|ajouter à mon panier",
    "ajouter au sac|acheter|commander|je commande",
    # Korean
    "장바구니|장바구니 담기|장바구니담기|장바구니에 담기|장바구니 넣기|장바구니에 넣기",
    "장바구니 추가|장바구니에 추가",
    "카트에 담기|카트담기|구매하기|바로 구매|바로구매|바로 구매하기|바로구매하기|바로구입",
    "구입하기|주문하기|바로 주문",
    # Italian, Spanish, Portuguese, Dutch
    "aggiungi al carrello|aggiungi al cestino|acquista|compra|compra ora|compra subito",
    "añadir al carrito|añadir a la cesta|añadir a la bolsa|agregar al carrito|comprar",
    "comprar ahora|comprar agora|adicionar ao carrinho|adicionar ao cesto|adicionar à sacola",
    "in winkelwagen|in mijn winkelwagen|in winkelmand|in winkelmandje|toevoegen aan winkelwagen",
    "toevoegen aan winkelmand|toevoegen aan winkelmandje",
    "bestel|bestel nu|bestellen",
    # Swedish, Danish, Norwegian, Finnish
    "lägg i varukorg|lägg till i varukorg|köp|köp nu|læg i kurv|tilføj til kurv|køb nu|køb",
    "legg i handlekurv|legg i handlevogn|kjøp|lisää ostoskoriin|osta",
    # Polish, Czech, Slovak, Slovenian, Croatian, Hungarian, Romanian, Turkish
    "do koszyka|dodaj do koszyka|kup teraz|do košíku|do košíka|přidat do košíku|vložit do košíku",
    "pridať do košíka|vložiť do košíka|kúpiť|koupit|v košarico|dodaj v košarico|dodaj u košaricu",
    "u košaricu|kupi|naroči|kosárba|megveszem",
    "în coș|adaugă în coș|adauga in cos|sepete ekle|sat\u0131n al",
    # Russian, Ukrainian, Bulgarian
    "в корзину|добавить в корзину|купить|заказать|до кошика|купити|в количката|купи|придбати",
    # Greek, Lithuanian, Latvian, Estonian
    "προσθήκη στο καλάθι|στο καλάθι|αγορά|į krepšelį|pirkti|pirkt|ielikt grozā|lisa ostukorvi",
    # Vietnamese, Indonesian, Thai, Arabic, Hebrew
    "thêm vào giỏ|thêm vào giỏ hàng|mua ngay|tambah ke keranjang|masukkan keranjang|beli sekarang",
    "หยิบใส่ตะกร้า",
    "เพิ่มลงตะกร้า|เพิ่มลงในตะกร้า|ซื้อเลย|أضف إلى السلة|أضف للسلة|اشتري الآن|הוסף לסל|הוספה לסל",
    # Japanese, Chinese
    "カートに入れる|カートに追加|カートへ|カートに入れる|かごに入れる|カゴに入れる|購入する",
    "購入手続き|買い物かごに",
    "今すぐ買う|今すぐ購入|注文する|加入購物車|放入購物車|加入购物车|加入購物袋|加入购物袋",
    "馬上購買",
    "立即購買|立即购买|立即結帳|我要購買|直接購買",
)
"""Labels of buttons to buy a product."""

_SOLD: Final = _phrases(
    "sold|sold out|sold item|out of stock|unavailable|no longer available|no longer in stock",
    "not available",
    "0 in stock|0 left|0 available|0 auf lager|0 en stock|재고 0|재고 0개|재고0|재고0개",
    "stock: 0|bestand: 0|lagerbestand: 0|재고: 0|재고: 0개",
    "남은 수량 0|남은 수량 0개",
    "not in stock|no stock",
    "ausverkauft|verkauft|vergriffen|nicht verfügbar|nicht mehr verfügbar|nicht lieferbar",
    "nicht mehr lieferbar|nicht auf lager|nicht mehr auf lager|nicht vorrätig|nicht lagernd",
    "nicht erhältlich|nicht mehr erhältlich|nicht bestellbar",
    "vendu|vendue|vendus|épuisé|épuisée|indisponible|en rupture|en rupture de stock",
    "rupture de stock|plus disponible|n'est plus disponible",
    "victime de son succès|stock épuisé|plus en stock|non disponible|n'est pas disponible",
    "품절|품절된 상품*|품절 상품*|품절입니다|품절되었습니다|일시품절|일시 품절|판매완료|판매 완료",
    "판매종료|판매 종료|판매가 종료되었습니다|판매가 종료된*|판매종료된*|매진|매진되었습니다",
    "구매 불가|판매중지|판매 중지|구매할 수 없는*|구매하실 수 없*",
    "재고 없음|재고없음|재고가 없*|거래완료|재입고 알림 신청",
    # What is sold out until it is back
    "back in stock soon|back in stock in #*|back in stock on*|restocking soon",
    "will be back in stock*",
    "bald wieder auf lager|bald wieder verfügbar|bald wieder lieferbar|bald wieder erhältlich",
    "wieder auf lager ab*|wieder verfügbar ab*|wieder lieferbar ab*|wieder erhältlich ab*",
    "bientôt de retour|bientôt de retour en stock|de retour bientôt|de retour en stock bientôt",
    "de retour en stock le*|de nouveau disponible le*|de nouveau en stock le*",
    "재입고 예정*|재입고예정*|곧 재입고*",
    # What those who wait for it are offered
    "notify me when*|email me when available|email me when back in stock|e-mail when available",
    "get notified when available|get notified when it's back|tell me when available",
    "back in stock notification|join the waitlist|benachrichtigen, wenn*|prévenez-moi*",
    "me prévenir quand disponible|avísame cuando*|avisarme cuando esté disponible",
    "avvisami quando disponibile|avvisami quando è disponibile|avise-me quando chegar",
    "avise-me quando disponível|powiadom mnie o dostępności|powiadom o dostępności",
    "hlídat dostupnost|재입고 알림*|재입고알림*|입고 알림*|입고알림*|再入荷通知*|再入荷お知らせ*",
    # Italian, Spanish, Portuguese, Dutch
    "esaurito|esaurita|non disponibile|non più disponibile|venduto|agotado|agotada|no disponible",
    "no está disponible|sin existencias|sin stock|fuera de stock|no hay stock|no hay existencias",
    "vendido|vendida|esgotado|esgotada|indisponível|sem estoque|sem stock|fora de estoque",
    "não disponível|uitverkocht|niet leverbaar|niet meer leverbaar|niet beschikbaar",
    "niet meer beschikbaar|niet op voorraad|verkocht",
    # Swedish, Danish, Norwegian, Finnish
    "slutsåld|slut i lager|tillfälligt slut|ej i lager|inte i lager|såld|udsolgt|utsolgt|solgt",
    "ikke på lager|loppuunmyyty|loppu varastosta|ei varastossa|ei saatavilla",
    # Polish, Czech, Slovak, Slovenian, Croatian, Hungarian, Romanian, Turkish
    "wyprzedane|wyprzedany|niedostępny|niedostępna|niedostępne|brak w magazynie|brak na stanie",
    "vyprodáno|není skladem|nedostupné|nedostupný|vypredané|nie je na sklade|nie je skladom",
    "razprodano|ni na zalogi|rasprodano|nije dostupno|nema na zalihi|elfogyott|nincs készleten",
    "nincs raktáron|nem elérhető|stoc epuizat|indisponibil|tükendi|stokta yok",
    # Russian, Ukrainian, Bulgarian, Greek
    "нет в наличии|распродано|продано|закончился|нет на складе|немає в наявності|закінчився",
    "изчерпан|няма в наличност|εξαντλήθηκε|εξαντλημένο|μη διαθέσιμο",
    # Vietnamese, Indonesian, Thai, Arabic, Hebrew
    "hết hàng|stok habis|สินค้าหมด|غير متوفر|نفدت الكمية|אזל המלאי|אזל מהמלאי|לא במלאי",
    # Japanese, Chinese
    "売り切れ*|売切れ*|在庫切れ|在庫なし|在庫がありません|品切れ|完売|完売しました|販売終了",
    "已售完|售罄|已售罄|缺貨|缺货|補貨中|暫無庫存|无货|無貨",
)
"""The product cannot be bought any more."""

_RESERVED: Final = _phrases(
    "reserved|on hold|on reserve|item reserved|reserviert|zurückgelegt|réservé|réservée",
    "예약중|예약 중|예약됨|예약완료|예약 완료|riservato|reservado",
    "gereserveerd|reserverad|reserveret",
    "zarezerwowane|zarezerwowany|rezervirano|забронировано|зарезервировано",
)

_LATER: Final = _phrases(
    "pre-order|pre-order now|preorder|preorder now|pre order|pre order now|back-order|backorder",
    "back order|available for pre-order",
    "available for preorder|available on backorder|coming soon|vorbestellen|jetzt vorbestellen",
    "vorbestellbar",
    "in stock soon|soon in stock|available soon|soon available|bald verfügbar|bald lieferbar",
    "bald erhältlich|bald auf lager|in kürze verfügbar|in kürze lieferbar|in kürze erhältlich",
    "bientôt en stock|disponible bientôt|disponible prochainement|prochainement disponible",
    "입고 예정*|입고예정*|출시 예정*|출시예정*|발매 예정*|발매예정*|판매 예정*|판매예정*",
    "vorbestellung|demnächst|précommande|précommander|bientôt disponible",
    "예약구매|예약 구매|예약주문",
    "예약 주문|예약판매|예약 판매|preordina|予約",
)
"""It can be ordered, but is not available yet."""

_AVAILABLE: Final = _phrases(
    "in stock|in stock now|now in stock|in stock online|# in stock|# pieces in stock",
    "only # in stock|only # left|only # left in stock*|hurry, only # left|only # available",
    "# available|# left",
    "available|available now|available immediately|available online|available to ship",
    "usually in stock|ready to ship|ships today|ships within*|ships in #*|this item is in stock",
    "available from these sellers|available from sellers|not sold$|not sold yet$",
    "auf lager|sofort lieferbar|kurzfristig lieferbar|lieferbar|verfügbar|sofort verfügbar",
    "online verfügbar|vorrätig|versandfertig*",
    "versandbereit|sofort versandfertig|noch # verfügbar|noch # auf lager|nur noch #*|lieferzeit*",
    "# auf lager|# stück auf lager|lager: #|bestand: #*|lagerbestand: #*|stock: #*|재고: #*",
    "lagernd|low stock|lieferbar in #*|lieferbar innerhalb*|livraison sous #*|livré sous #*",
    "en stock|# en stock|il reste #*|disponible",
    "disponible immédiatement|disponible en stock|disponible sous*",
    "plus que #*|expédié sous*|en magasin",
    "재고 있음|재고있음|재고 #*|재고#*|남은 수량 #*|구매 가능|구매가능|판매중|판매 중|당일발송",
    "당일 발송|당일출고|오늘출발",
    "disponibilità immediata|disponibile|in magazzino|en existencias|disponível|em estoque",
    "em stock",
    "hay stock|en existencia|últimas unidades|disponible en #*|disponible dans #*|quedan #*",
    "op voorraad|direct leverbaar|uit voorraad leverbaar|beschikbaar|i lager|på lager",
    "finns i lager|dostępny|na stanie|w magazynie|skladem|skladom|na sklade|na zalogi|na zalihi",
    "na skladištu|raktáron|készleten|în stoc|in stoc|stokta|в наличии|есть в наличии|в наявності",
    "в наличност|varastossa|saatavilla|διαθέσιμο|άμεσα διαθέσιμο|còn hàng|tersedia|มีสินค้า",
    "متوفر|במלאי|在庫あり|在庫有り|残り#*|有現貨|現貨|有货|有貨",
)

_DELIVERY: Final = _phrases(
    "get it by*|get it between*|arrives by*|estimated delivery*|expected delivery*|delivery by #*",
    "delivery in #*|delivery within*|dispatched within*|lieferung zwischen*|lieferung in #*",
    "lieferung bis*|lieferung am*|voraussichtliche lieferung*|livraison prévue*|livraison entre*",
    "livraison en #*|도착 예정*|도착예정*|consegna prevista*|consegna in #*|entrega prevista*",
    "entrega en #*|levering in #*|levertijd*|leveranstid*|leveringstid*",
)
"""When it arrives, which is only said of what can be bought; of any page that ships something."""

_QUANTITY: Final = _phrases(
    "quantity$|qty$|select quantity$|choose quantity$|menge$|anzahl$|stückzahl$|quantité$|수량$",
    "주문수량$|구매수량$|quantità$|cantidad$|quantidade$|aantal$|antal$|antall$|määrä$|ilość$",
    "množství$|množstvo$|količina$|mennyiség$|cantitate$|adet$|количество$|кількість$|ποσότητα$",
    "số lượng$|jumlah$|จำนวน$|الكمية$|כמות$|数量$|數量$|個数$",
)
"""Labels of the field for how many to buy."""

_OPTIONS: Final = _phrases(
    "select options$|choose options$|choose an option$|select an option$|select size$",
    "select a size$|choose size$|choose a size$|select colour$|select color$|option wählen$",
    "optionen wählen$|ausführung wählen$|größe wählen$|variante wählen$|choix des options$",
    "choisir une taille$|choisissez une option$|옵션 선택$|사이즈 선택$|seleccionar opciones$",
    "elige una opción$|scegli$|seleziona opzioni$|kies een optie$|opties selecteren$",
    "välj alternativ$|wybierz opcje$",
)
"""Buttons that ask for a choice before the product can be bought."""

_REQUEST: Final = _phrases(
    "price on request|price on application|price upon request|poa$|p.o.a|enquire$|inquire$",
    "enquire about this item|inquire about this item|enquire now|make an enquiry|contact dealer",
    "contact for price|call for price|ask for price|request price",
    "preis auf anfrage|auf anfrage|preis anfragen|prix sur demande|sur demande$|nous consulter",
    "가격문의|가격 문의|prezzo su richiesta|precio a consultar|prijs op aanvraag",
)
"""The price is available on request."""

_ASK: Final = _phrases(
    "send enquiry|send an enquiry|send inquiry|ask about this item|ask a question about this",
    "request a quote|get a quote|request more information|request information|request details",
    "contact seller|contact the seller|contact the dealer|make an offer|make offer",
    "anfragen$|jetzt anfragen|anfrage senden|artikel anfragen|produkt anfragen|anfrage zum",
    "frage zum artikel|fragen zum artikel|frage zum produkt|fragen zum produkt|angebot anfordern",
    "verkäufer kontaktieren|preisvorschlag",
    "demander un devis|demander le prix|demande de prix|demande d'information",
    "demande de renseignement|contacter le vendeur|contacter l'antiquaire|faire une offre",
    "문의하기|상품문의|상품 문의|구매문의|구매 문의|견적문의|견적 문의|판매자 문의",
)
"""Ways to ask about one product, with or without a price."""

_ITEM_NUMBER: Final = _phrases(
    "sku|item no|item number|item #|item code|stock no|stock number|stock #|stock code|ref|ref no",
    "reference|reference number|inventory number|product code|product number|model no|model number",
    "artikelnummer|artikel-nr|artikelnr|artikel nr|art.-nr|art.nr|art. nr|art nr|bestellnummer",
    "bestell-nr|objektnummer|objekt-nr|inventarnummer|inventar-nr|produktnummer|lagernummer",
    "référence|réf|n° d'inventaire|code produit|code article",
    "상품번호|상품 번호|상품코드|상품 코드|제품번호|제품 번호|제품코드|품번|모델명|모델번호",
)
"""Labels of the number of one product."""

_CHOOSE: Final = _phrases(
    "sort$|sort by|sorted by|filter|filters|refine|refine by|view as|per page|show more|show all",
    "load more|showing #|viewing #|# results|# products|# items|items #|results|compare$|shop all",
    "sortieren|sortierung|sortieren nach|filtern|artikel pro seite|# produkte|# artikel",
    "# ergebnisse|# treffer|mehr anzeigen|mehr laden|trier par|trier|filtrer|# produits",
    "# articles|# résultats|afficher plus|정렬|필터|인기순|신상품순",
    "낮은가격순|높은가격순|더보기|총 #",
    "ordina per|filtra|ordenar|filtrar|sorteer|sorteren|sortuj|řadit|сортировка|фильтр|並び替え",
)
"""Labels over a list of products."""

_DETAIL: Final = _phrases(
    "quantity|qty|sku|item no|item number|item #|model|product details|product description",
    "product information|description|specification|specifications|details|write a review",
    "customer reviews|add to wishlist|add to wish list|add to favorites|add to favourites|size",
    "size guide|size chart|color|colour|in stock|free shipping|returns|condition|dimensions",
    "material|materials|ingredients|menge|anzahl|artikelnummer|artikel-nr|artikelnr|art.-nr",
    "produktdetails|produktbeschreibung|beschreibung|maße|zustand|quantité|référence|réf",
    "caractéristiques|livraison|avis clients|détails",
    "수량|상품상세|상품 상세|상품정보|상품 정보|상품설명",
    "배송|배송비|사이즈|색상|상품평|구매후기|구매 후기",
    "quantità|codice|descrizione|cantidad|descripción",
    "quantidade|descrição|aantal|omschrijving|ilość|množství|количество|описание|характеристики",
    "數量|商品說明|規格|数量|商品説明",
)
"""Labels around one product."""

_BYLINE: Final = _phrases(
    "by|written by|posted on|posted by|published|updated|updated on|last updated|last modified",
    "# min read|# minute read|# mins read|von|veröffentlicht|aktualisiert|par|publié|mis à jour",
    "입력|작성자|table of contents|share this|related articles|related posts|leave a reply",
    "leave a comment|about the author|in this article",
)
"""Labels around an article."""

_TALK: Final = _phrases(
    "reply|replies|post$|posts$|posted$|likes|views|joined|thread|threads|forum|forums|quote",
    "member|members|antworten|beiträge|réponses|댓글|답글|sign in to reply|sign in to comment",
)
"""Labels around a conversation."""

_SERVICE: Final = _phrases(
    "book a demo|request a demo|get a demo|schedule a|start free trial|free trial|try for free",
    "try it free|get started|sign up free|book now|book a|book an|make an appointment|our services",
    "why choose|testimonials|how it works|what our clients|what our customers|contact sales",
    "request a quote|get a quote|free consultation|apply now|case studies|our team|our clients",
    "demo anfordern|demo buchen|kostenlos testen|jetzt testen|termin vereinbaren|termin buchen",
    "unsere leistungen|so funktioniert|kundenstimmen|jetzt buchen|angebot anfordern",
    "demander une démo|essai gratuit|essayer gratuitement|prendre rendez-vous|nos services",
    "comment ça marche|réserver|devis gratuit|무료 체험|무료체험|상담 신청|상담신청|데모 신청",
    "예약하기|도입 문의",
)
"""What those say who sell a service."""

_ELSEWHERE: Final = _phrases(
    "check price|check latest price|check current price|see price|view deal|see deal|get deal",
    "buy at|buy from|buy on|view at|view on|see at|see it at|shop at|shop on amazon|at amazon$",
    "check on amazon|see on amazon|shop now at|best price at|zum angebot|zum shop|bei amazon",
    "preis prüfen|jetzt bei|voir l'offre|voir le prix|voir sur|chez amazon|최저가 보기",
    "최저가 확인|가격 확인",
)
"""Buttons that lead to another shop, as reviews have them."""

PHRASES: Final[Mapping[str, tuple[str, ...]]] = {
    "buy": _BUY,
    "sold": _SOLD,
    "reserved": _RESERVED,
    "later": _LATER,
    "available": _AVAILABLE,
    "delivery": _DELIVERY,
    "quantity": _QUANTITY,
    "options": _OPTIONS,
    "request": _REQUEST,
    "ask": _ASK,
    "number": _ITEM_NUMBER,
    "choose": _CHOOSE,
    "detail": _DETAIL,
    "byline": _BYLINE,
    "talk": _TALK,
    "service": _SERVICE,
    "elsewhere": _ELSEWHERE,
}

NOT_PAID: Final = re.compile(
    r"(?<![^\W\d_])(?:"
    r"save\b|saving|off\b|shipping|delivery|postage|list price|rrp|msrp|was\b|retail|regularly"
    r"|up to\b|cash ?back|coupon|voucher|spend\b|bis zu\b|mindest|ab einem|gutschein|jusqu|minimum"
    r"|최대|이상|캐시백|쿠폰|over\b|orders|deposit|per month|/ ?mo\b|monthly|instal"
    r"|interest|klarna|afterpay|points"
    r"|subscri|sparen|ersparnis|gespart|versand|liefer|statt\b|uvp|grundpreis|monatlich|rate\b|pfand"
    r"|économi|livraison|conseillé|au lieu|par mois|mensuel|fidélité|배송|할인|적립|정가|월 |무이자"
    r"|포인트|spedizione|risparmi|invece|consigliato|envío|ahorra|antes|frete|entrega|bezorg"
    r"|verzend|adviesprijs|доставк|скидк|运费|運費|免運|原價|市價|定價|建議售價|送料|點=|積點)",
    re.IGNORECASE,
)
"""Words beside an amount that is not the price."""

NO_CHARGE: Final = re.compile(r"free|frei|gratis|gratuit|offert|kostenlos|무료|免", re.IGNORECASE)
"""Words about the shipping, not about the amount that follows."""

FOR_SEVERAL: Final = re.compile(
    r"\W*(?:ab |from |dès |da |desde |od |från |fra |vanaf )?\d+"
    r" ?(?:(?:pcs?|pieces|units|stück|stk)\b)?"
    r"\.? ?(?:or more|and more|oder mehr|ou plus|et plus|o más|o più|ou mais|of meer|lub więcej"
    r"|a více|eller fler|eller flere|개 이상|個以上|以上)\W*",
    re.IGNORECASE,
)
"""The start of a text with the price of each of several."""

PER_UNIT: Final = re.compile(
    r"\s*(?:(?:/|\b(?:per|pro|je|par|le|al|por)\b)\s*\d{0,4}\s*|\s(?=100\s))(?:100\s*)?"
    r"(?:ml|cl|dl|l|liter|litre|g|kg|mg|lb|oz|m|m²|m2|cm|qm|그램|리터)(?!\w)",
    re.IGNORECASE,
)
"""A measure right after an amount, which is then the price of that much."""

NET: Final = re.compile(
    r"(?:excl|exkl|ex|plus|\+|before|without|ohne|zzgl|hors|hors la|brez|bez|sin|senza|sem|zonder)"
    r"\.? ?(?:vat|gst|sales tax|tax|mwst|ust|mehrwertsteuer|taxe|tva|ddv|dph|iva|btw|moms|pdv)"
    r"|netto|(?<!\w)HT(?!\w)|iva esclusa|(?:부가세|VAT) ?별도|税抜|без ндс",
    re.IGNORECASE,
)
"""Words beside an amount without tax."""


_LEADS: Final = _phrases(
    "sorry|unfortunately|this|the|item|product|article|is|are|was|has been|currently|temporarily",
    "now|already|online|at the moment|right now|status|item is|we are",
    "leider|der|das|dieser|dieses|artikel|produkt|ist|derzeit|zurzeit|zur zeit|momentan|aktuell",
    "im moment|vorübergehend|bereits|wurde",
    "désolé|le|l|ce|cet|cette|produit|article|est|actuellement|temporairement|momentanément|déjà",
    "lo sentimos|el|este|producto|artículo|está|actualmente|temporalmente|de momento",
    "questo|prodotto|articolo|è|attualmente|al momento|temporaneamente|momentaneamente",
    "produto|artigo|atualmente|temporariamente|no momento|dit|deze|momenteel|tijdelijk|helaas",
    "produkten|varan|är|er|tillfälligt|midlertidigt|midlertidig|desværre|dessverre|varen",
    "jest|obecnie|chwilowo|tymczasowo|momentálně|momentálne|aktuálně|dočasně|je|trenutno",
    "jelenleg|momentan|товар|временно|сейчас|к сожалению|тимчасово|şu anda",
    "현재|현재는|이|상품은|상품이|제품은|해당|본|죄송합니다|온라인|일시적으로",
    "この商品は|現在|ただいま|只今|目前|暂时|暫時|此商品|该商品|該商品",
)
"""Words before a statement about stock that leave its meaning: this item is currently …"""
MAX_PHRASE_CHARS: Final = 60
"""Longer texts are prose."""
_WHOLE_TABLES: Final = frozenset({"buy", "sold", "reserved", "later", "available", "delivery"})
"""Those of buttons and stock."""
_STOCK_TABLES: Final = _WHOLE_TABLES - {"buy"}
_PREFIX_CHARS: Final = 2
"""Phrases are indexed by these letters: most texts begin with none of them."""
_UNSPACED: Final = ("\u3040", "\u9fff")
"""The letters of Japanese and Chinese."""
_LEAD: Final = re.compile(
    "(?:{})+".format(
        "|".join(
            re.escape(each) + (r"\W*" if _UNSPACED[0] <= each[-1] <= _UNSPACED[1] else r"\W+")
            for each in sorted(_LEADS, key=len, reverse=True)
        )
    )
)
_LEAD_PREFIXES: Final = frozenset(each[:_PREFIX_CHARS] for each in _LEADS)
_DIGITS: Final = re.compile(r"\d[\d.,]*")
_LABEL: Final = re.compile(r"[^\W\d][^\W\d ]{3,13} ?[:\uff1a]\s*")
_AROUND: Final = " \t\n\r.,!?*:;-–—•·✓✔✅❌×()[]\"'\u2019»«>+|"
_REMARK: Final = (
    r"(?=\W*\Z|[\W\d]*(?:[^\w\s]|\s(?:and|und|et|for|für|pour|at|online|now|today|only|here)\b))"
)
"""Nothing, or what is set apart from a phrase: by a mark, or by a word that adds to it."""
_DENIALS: Final = r"no|not|never|nein|nicht|kein\w*|non|pas"
_TURNS: Final = re.compile(
    rf"\b(?:{_DENIALS}|(?<!order )soon|again|later|pay|financ\w*|instal\w*|notify|alert\w*|remind"
    r"|wait\w*|expected|until|when|back in|store|view|show|how|bald|demnächst|wieder|später"
    r"|benachrichtig\w*|raten\w*|finanzier\w*|ab dem|erst|ansehen|anzeigen|bientôt|prochain\w*"
    r"|plus tard|retour|avert\w*|jusqu\w*|quand|voir)\b"
    r"|곧|예정|임박|알림|나중|할부|입고|아님|아니|불가|보기",
)
_DENIED: Final = re.compile(
    rf"\b(?:{_DENIALS}|soon|by|shipped|dispatched|store|pick-?up|collection|versand\w*|versend\w*"
    r"|filial\w*|abhol\w*|expédi\w*|magasin|retrait|price|preis|prix|precio|prezzo|preço|cen[ay]"
    r"|pris)\b|아님|아니|임박|가격"
)
"""Words after a phrase that turn its meaning; what is sold stays so until it is back.

Who sells it, and what a single store has, says nothing.
"""


def find_phrases(texts: list[str]) -> dict[str, list[int]]:
    """The indexes of the texts that match each table."""
    found: dict[str, list[int]] = {name: [] for name in PHRASES}
    for index, text in enumerate(texts):
        if len(text) < MAX_PHRASE_CHARS:
            for name in _matching_tables(text):
                found[name].append(index)
    return found


@lru_cache(maxsize=16_384)
def _matching_tables(text: str) -> tuple[str, ...]:
    """The tables that match a text; cached, because the pages of a shop repeat themselves."""
    plain = _DIGITS.sub(lambda found: "#" if found[0].strip("0.,") else "0", text.lower())
    plain = plain.strip(_AROUND)
    label = _LABEL.match(plain)
    rest = plain[label.end() :] if label else plain
    core = _without_leads(rest)
    return tuple(
        dict.fromkeys(
            name
            for each in dict.fromkeys((plain, rest, core))
            for name, pattern in _patterns_by_prefix().get(each[:_PREFIX_CHARS], ())
            if (found := pattern.match(each)) and not _is_turned(name, each[found.end() :])
            if each is not core or each is rest or name in _STOCK_TABLES
        )
    )


def _without_leads(text: str) -> str:
    """A statement about stock without the words that lead to it."""
    if text[:_PREFIX_CHARS] not in _LEAD_PREFIXES:
        return text
    found = _LEAD.match(text)
    return text[found.end() :] if found else text


def _is_turned(table: str, rest: str) -> bool:
    turns = _DENIED if table == "sold" else _TURNS
    return table in _WHOLE_TABLES and turns.search(rest) is not None


@lru_cache(maxsize=1)
def _patterns_by_prefix() -> Mapping[str, list[tuple[str, re.Pattern[str]]]]:
    """The tables with phrases of each prefix, and their patterns."""
    found: dict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    for name, phrases in PHRASES.items():
        by_key: dict[str, list[str]] = defaultdict(list)
        for phrase in sorted(phrases, key=len, reverse=True):
            is_whole = name in _WHOLE_TABLES
            by_key[phrase[:_PREFIX_CHARS]].append(_pattern(phrase, is_whole=is_whole))
        for key, patterns in by_key.items():
            found[key].append((name, re.compile("|".join(patterns))))
    return found


def _pattern(phrase: str, *, is_whole: bool) -> str:
    if phrase.endswith(WHOLE_TEXT):
        return re.escape(phrase.removesuffix(WHOLE_TEXT)) + r"\W*\Z"
    begin = re.escape(phrase.removesuffix(OPEN_END))
    if is_whole and not phrase.endswith(OPEN_END):
        return begin + _REMARK
    is_unspaced = begin.rstrip("\\#0 ")[-1:] >= "\u3040"  # Chinese, Japanese and Korean
    return begin + ("" if is_unspaced else r"(?!\w)")
