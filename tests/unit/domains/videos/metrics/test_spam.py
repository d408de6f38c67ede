"""Comments that advertise something else."""

from __future__ import annotations

import pytest

from gotgan.domains.videos.metrics.spam import is_spam

_SPAM = """
Check out my channel please
check out my new music video guys
Hey guys, subscribe to me and I'll sub back
sub4sub anyone?
Visit my page for free beats
I earned $5,000 a week trading with her
I made $30k in 2 weeks trading crypto online
contact him on WhatsApp +1 (555) 123-4567
telegram @cryptoking
I'm a small youtuber, please support
http://cheap-watches.example/buy
free robux click the link in my profile
Please check out this playlist on YouTube: summer
subscribe my channel
Follow me on twitter @somebody
help me get 100 subscribers
vote for us at http://contest.example/42 thank you
http://petition.example please sign up
bit.ly/3abc best deals
제 채널에도 놀러 오세요~
맞구독 하실 분
부업 관심있으신 분 카톡 문의 주세요
카톡 아이디: money777
바카라 사이트 추천 먹튀없는 곳
무료 리딩방 입장하세요 텔레그램
프로필 클릭하면 더 많은 영상이
추천인 코드 AB12CD
open.kakao.com/o/abc 들어오세요
"""
_HONEST = """
this channel is the best, subscribed!
my favourite song of all time
I watched my daughter dance to this
see my comment above
what's the name of the app
I follow me and my own advice
the paper he cites: https://papers.example/42
I made this at home yesterday
Bitcoin is going to the moon
I paid $20 a month for this
can I get a link to the jacket?
my wife and I like my video setup
구독하고 갑니다
구독 눌렀어요 채널 번창하세요
카카오톡 이모티콘 너무 귀여워요
카지노 로얄 영화 생각난다
라인 예쁘다
https://youtu.be/abc?t=134 이 장면
https://www.youtube.com/watch?v=abcdefghijk
출장 가는 길에 봤어요
이 채널 구독자 100만 가자
닉네임이 웃기다
우리 채널 주인장님 최고
"""


@pytest.mark.parametrize("text", _SPAM.strip().splitlines())
def test_an_advertisement_is_spam(text: str) -> None:
    assert is_spam(text)


@pytest.mark.parametrize("text", _HONEST.strip().splitlines())
def test_what_only_sounds_like_one_is_not(text: str) -> None:
    assert not is_spam(text)
