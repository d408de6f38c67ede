"""Comments that ask for something, and comments that ask something."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gotgan.domains.videos.metrics.questions import (
    MAX_FOUND,
    find_questions,
    find_requests,
    is_question,
    is_request,
)
from gotgan.domains.videos.metrics.words import plain_text
from tests.unit.domains.videos.metrics.comments import said

_REQUESTS = """
다음엔 부산 맛집도 가주세요
다음 영상은 제주도 편 보고 싶어요
아이폰 16 리뷰 부탁드려요
자막 좀 크게 넣어주세요
풀버전 올려주세요 제발
배경음악 소리 좀 줄여주세요
이 노래 커버 해주실 수 있나요?
2편도 만들어 주시면 안될까요
초보자용 강의도 올려주셨으면 좋겠어요
라이브도 해주세요 ㅠㅠ
레시피 좀 알려주세요
다음에는 캠핑 브이로그 찍어주세요!!
한국에도 와주세요
음원 내주세요
비교 영상 부탁드립니다
가격도 알려주시면 감사하겠습니다
영어 자막 달아줘요
이거 더 길게 만들어줘
다음 편 빨리 올려주세요
쇼츠 말고 긴 영상으로 올려주세용
엔딩곡 제목 좀 알려줘
운동 루틴 공유해주세요
메이크업 정보 공유 부탁드려요~
신곡 안무 영상도 찍어주실래요?
다음번엔 라면 먹방 해주세요
더보기란에 링크 걸어주세요
광고 좀 줄여주시면 좋겠어요
can you do a video on bread baking
Could you please review the new pixel?
please make a part 2
Please do more of these!
can u react to blackpink next
You should try the spicy one next time
I'd love to see a collab with Max
I would love a video about your camera setup
Make a tutorial please
part 2 pls
we need a full version of this song
Hope you can make a longer version
would you guys cover the new album
please come to Brazil
plz upload the instrumental
Next video on async python please
you need to review the budget one
Would love to see a rye bread recipe next
"""
_NO_REQUESTS = """
끝까지 화이팅해주세용
파이팅 해주세요
알려주셔서 감사합니다
좋은 영상 올려주셔서 감사해요
구독해주세요
행복하게 살아주세요
건강하세요 항상 응원합니다
잘 부탁드립니다
많은 관심 부탁드립니다
힘내세요 형님
보여준 모습이 너무 좋았다
엄마가 만들어준 김밥 생각난다
오늘도 잘 보고 갑니다
이런 영상 만들어줘서 고마워요
다음 영상도 기대할게요
보고 싶었어요 ㅠㅠ
누가 나 좀 데려가라 ㅋㅋㅋ
이 노래 들으면 눈물 나요
저도 이거 해줬는데 좋아하더라고요
친구가 추천해줘서 왔어요
사람들이 알아줬다
좋아요 눌러주세요
he made it look easy
you can do this
I love how you explain things
Thanks for making this video
This is what you should do in life
I can't do this anymore lol
pleased to see you again
you make me smile
if you could see my face right now
the way you show love
"""
_QUESTIONS = """
이 노래 제목이 뭐예요?
이거 어디서 사나요
카메라 뭐 쓰시나요?
몇 살이에요?
배경음악 뭔가요
촬영 장소가 어디인가요?
혹시 가격이 얼마인지 아시는 분?
배터리 얼마나 가나요
언제 출시되나요?
이 옷 어디 거예요?
노트북 모델명이 궁금합니다
초보자도 할 수 있을까요?
어떻게 하면 되죠?
what camera do you use?
Where did you buy that jacket?
How long does it take
does anyone know the song at 2:14
what's the name of the song
Is this available in Korea?
So what is the best one?
Anyone know the title?
what keyboard is that at 0:42
how much was the airbnb
when is part 2 coming out
Does it support 120hz?
can I use almond milk instead?
which one should I get for college, the air or the pro?
Spotify link?
how do you keep the noodles from sticking?
did you film this in one day?
why did you rest it for 20 minutes?
is the vinegar needed?
방송 몇시에 해요?
중계 어디서 봐요?
m2랑 m3 고민중인데 영상편집용으로 뭐가 나을까요
설탕 대신 올리고당 넣어도 되나요?
저 무기 어디서 얻음?
혹시 편집 프로그램 뭐 쓰시는지 알 수 있을까요?
항공권 얼마에 끊으셨나요
플스로도 되나요 아니면 피시만?
립 제품명 뭐예요?
다음편은 언제 올라오나요
쌀뜨물은 꼭 써야 하나요
Are you going to do this again?
What flour do you use? I can't find it here
"""
_RHETORICAL = """
how is this not viral
who else is watching this in 2025?
anyone here from tiktok?
did anyone notice the cat at 2:10?
am I the only one who cried?
is it just me or is he taller now?
why is this so good??
why can't school be like this?
How many more people have to die?
who needs therapy when you have this channel?
what is wrong with people?
what more could you want?
can we just appreciate the editing?
can we talk about her voice?
isn't she beautiful?
are you kidding me?
how can anyone dislike this?
how is he not famous?
do you ever just sit and cry?
did you know he wrote this in one night?
where have you been all my life?
where is the justice?
remember when games were fun?
You know what? I love it
so good, right?
where were the police? where was the mayor? where was anyone? who pays?
what is this sorcery?
when will people learn?
what do you guys think?
what's your favorite part?
who would have thought?
my mom: what are you doing? me: dancing
he asked "what camera do you use?" lol
왜 이렇게 재밌죠?
이걸 왜 이제 봤을까요
이게 말이 됩니까?
나만 소름 돋았나요?
저만 그런가요?
이거 실화냐?
제정신인가요?
정부는 도대체 뭐하나요?
대통령은 언제 사과하나요?
이게 나라입니까?
이거 듣고 있는 분 계신가요?
2025년에도 듣는 사람 있나요?
여러분은 어떻게 생각하시나요?
님들 이거 어디서 사나요?
어떻게 이렇게 잘하죠?
어쩜 이렇게 예쁘죠?
귀엽지 않나요?
이 정도면 천재 아닌가요?
누가 이걸 싫어하겠어요?
언제까지 참아야 하나요?
얼마나 힘들었을까요
이런 영상이 또 있을까?
무슨 말이 더 필요할까요?
뭐라고 생각하세요 이 쓰레기 같은 영상을?
안녕하세요 잘 지내시죠
"이거 얼마예요?" 하는 장면 너무 웃김
"""
_NOT_FOR_THE_AUTHOR = """
please stop hating on her
please give her a chance people
someone please make a one hour loop
please read this and share
please do your research
can you stop crying lol
I'd love to see her in concert
everyone please be kind
dear haters, please do something better
여러분 구독 좀 해주세요
검찰은 수사 제대로 해주세요
대통령님 법 좀 바꿔주세요
하나님 도와주세요
저 사람 살려주세요
엄마가 이거 만들어줘서 먹었어요
판매자님 교환해 주세요
앞으로도 좋은 방송 많이 부탁드립니다
참고 봐주세요 여러분
내 청춘 돌려줘
"""
_NO_QUESTIONS = """
why is nobody talking about this?
이거 진짜예요?
왜 이렇게 빨리 끝나?
이거 실화인가요ㅋㅋ
너무 좋아요
진짜 대박이다 ㅋㅋㅋ
미쳤다!!
뭐야 너무 귀여워
왜 이제 봤을까 진짜 명작
어디서나 잘 들려요
이게 나라냐
what a song!
How beautiful
when the beat drops I lose it
this is why I love him
who cares
누구나 할 수 있어요
언제나 응원합니다
얼마나 좋은지 몰라요
짜증나요 최악
옛날 생각나요 ㅠㅠ
??
ㅋㅋㅋ?
와?!
where words fail, music speaks
What an amazing performance
"""


@pytest.mark.parametrize("text", _REQUESTS.strip().splitlines())
def test_what_the_author_could_do_is_a_request_and_no_question(text: str) -> None:
    assert is_request(plain_text(text))
    assert not is_question(plain_text(text))


@pytest.mark.parametrize("text", _NO_REQUESTS.strip().splitlines())
def test_thanks_and_wishes_are_no_requests(text: str) -> None:
    assert not is_request(plain_text(text))


@pytest.mark.parametrize("text", _QUESTIONS.strip().splitlines())
def test_what_wants_an_answer_is_a_question(text: str) -> None:
    assert is_question(plain_text(text))
    assert not is_request(plain_text(text))


@pytest.mark.parametrize("text", _NO_QUESTIONS.strip().splitlines())
def test_amazement_is_no_question(text: str) -> None:
    assert not is_question(plain_text(text))


@pytest.mark.parametrize("text", _RHETORICAL.strip().splitlines())
def test_what_waits_for_no_answer_is_no_question(text: str) -> None:
    assert not is_question(plain_text(text))


@pytest.mark.parametrize("text", _NOT_FOR_THE_AUTHOR.strip().splitlines())
def test_what_is_asked_of_others_is_no_request(text: str) -> None:
    assert not is_request(plain_text(text))


def test_a_reply_in_a_thread_asks_nothing_of_the_author() -> None:
    [top, reply] = said("어디서 사나요?", "얼마예요?")
    comment = replace(reply.comment, parent_id=top.comment.comment_id)
    found = find_questions([top, replace(reply, comment=comment)])
    assert [each.comment_id for each in found] == ["c0"]


def test_the_most_liked_request_comes_first() -> None:
    remarks = said("좋다", "2편 올려주세요", "멋지다", "자막 넣어주세요")
    assert [found.comment_id for found in find_requests(remarks)] == ["c1", "c3"]


def test_the_most_liked_question_comes_first() -> None:
    remarks = said("이거 뭐예요?", "좋다", "어디서 사나요?")
    assert [found.comment_id for found in find_questions(remarks)] == ["c0", "c2"]


def test_what_is_said_to_another_viewer_asks_nothing_of_the_author() -> None:
    remarks = said(
        "@viewer 좀 알려주세요", "@viewer 어디서 사나요?", "\u200b@viewer can you do it?"
    )
    assert find_requests(remarks) == find_questions(remarks) == ()


def test_a_list_has_an_end() -> None:
    remarks = said(*(f"{number}편 올려주세요" for number in range(30)))
    assert len(find_requests(remarks)) == MAX_FOUND
