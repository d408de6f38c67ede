"""Document 001's single table, in its own words: from its example items to its extension guide."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from gotgan.domains.site import articles, patterns
from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.items import record_item
from gotgan.store import Ref, Table
from gotgan.store.outputs.definition import create_request, ttl_request
from tests.scenario.site_document import EXAMPLES, as_item, as_shown
from tests.scenario.site_places import NOON, Scene

METADATA = "METADATA"
DAY = timedelta(days=1)


# 1. The table


def test_the_table_is_made_as_the_document_says(scene: Scene) -> None:
    table = scene.client.describe_table(TableName="FMWebAppTable")["Table"]
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert "StreamSpecification" not in table
    assert table["KeySchema"] == [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ]
    [index] = table["GlobalSecondaryIndexes"]
    assert index["IndexName"] == "Type_CreatedAt"
    assert index["Projection"] == {"ProjectionType": "ALL"}
    assert [key["AttributeName"] for key in index["KeySchema"]] == ["Type", "CreatedAt"]
    ttl = scene.client.describe_time_to_live(TableName="FMWebAppTable")
    assert ttl["TimeToLiveDescription"]["AttributeName"] == "expiresAt"


def test_streams_and_the_time_to_live_are_options_of_the_table() -> None:
    plain = Table("FMWebAppTable", pk="PK", sk="SK")
    assert ttl_request(plain) is None
    assert ttl_request(SITE) == {
        "TableName": "FMWebAppTable",
        "TimeToLiveSpecification": {"AttributeName": "expiresAt", "Enabled": True},
    }
    assert "StreamSpecification" not in create_request(SITE)
    streaming = Table("FMWebAppTable", pk="PK", sk="SK", stream="NEW_AND_OLD_IMAGES")
    assert create_request(streaming)["StreamSpecification"] == {
        "StreamEnabled": True,
        "StreamViewType": "NEW_AND_OLD_IMAGES",
    }


# 2. Entities and their example items

READ_BY_KEY: dict[str, tuple[Callable[[], Ref[Any]], str]] = {
    "User": (lambda: patterns.user("u001"), "/users/u001"),
    "Category": (lambda: patterns.category("c001"), "/categories/c001"),
    "Post": (lambda: patterns.post("c001", "p001"), "/posts?category=c001"),
    "Banner": (lambda: patterns.banner("bn001"), "/banners/bn001"),
    "CorpInfo": (patterns.company, "/corp"),
    "ContactInquiry": (lambda: patterns.inquiry("inq001"), "/contact/inq001"),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_item_that_somebody_else_put_is_read(documented: Scene, name: str) -> None:
    ref, path = READ_BY_KEY[name]
    found = documented.app.store.get(ref())
    assert found is not None
    assert record_item(found) == as_shown(name)
    data = documented.data("GET", path)
    assert (data["items"][0] if "items" in data else data) == as_shown(name)
    listed = documented.data("GET", f"/items?type={name}")["items"]
    assert as_shown(name) in listed


@pytest.mark.parametrize("name", ["User", "Category", "Banner", "CorpInfo"])
def test_an_example_item_can_be_changed_and_keeps_all_else(documented: Scene, name: str) -> None:
    field = "displayName" if name == "User" else "name" if name == "CorpInfo" else "title"
    documented.client.update_item(
        TableName=SITE.name,
        Key={key: as_item(name)[key] for key in ("PK", "SK")},
        UpdateExpression="SET theirs = :theirs",
        ExpressionAttributeValues={":theirs": {"S": "kept"}},
    )
    path = READ_BY_KEY[name][1]
    documented.data("PATCH", path, json={field: "새 이름"}, headers={"If-Match": '"1"'})
    key = EXAMPLES[name]["PK"], EXAMPLES[name]["SK"]
    [item] = [each for each in documented.items() if (each["PK"], each["SK"]) == key]
    moment = "2100-01-01T12:00:00Z"
    expected = {**EXAMPLES[name], field: "새 이름", "UpdatedAt": moment, "theirs": "kept"}
    assert item == {**expected, "version": 2}


WRITES: dict[str, tuple[str, str, dict[str, str], set[str]]] = {
    "User": ("POST", "/users", {"id": "u001"}, {"UpdatedAt", "version"}),
    "Category": ("POST", "/categories", {"id": "c001", "slug": "news"}, {"slug", "version"}),
    "Post": ("POST", "/posts", {}, {"version"}),
    "Banner": ("POST", "/banners", {"id": "bn001"}, {"version"}),
    "CorpInfo": ("PUT", "/corp", {}, {"version"}),
    "ContactInquiry": ("POST", "/contact", {}, {"version"}),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_we_write_has_the_documents_names_and_few_more(scene: Scene, name: str) -> None:
    if name == "Post":
        scene.category("c001")
        scene.app.site.users.create(id="u001", display_name="김대연", role="editor")
    method, path, more, added = WRITES[name]
    ours = {"PK", "SK", "Type", "id", "CreatedAt", "UpdatedAt", "status", "notifiedEmail"}
    body = {key: value for key, value in EXAMPLES[name].items() if key not in ours}
    made = scene.data(method, path, json={**body, **more})
    [item] = [each for each in scene.items(BY_TYPE.name) if _is(each, name, made.get("id"))]
    # Nobody has been notified yet: that is written when the mail server has taken the mail.
    assert set(item) == set(EXAMPLES[name]) - {"notifiedEmail"} | added
    assert {key: item[key] for key in body} == body
    example = EXAMPLES[name]
    for key in ("PK", "SK"):
        assert item[key] == example[key].replace(example["id"], item["id"])
    assert item["CreatedAt"] == item["UpdatedAt"] == "2100-01-01T12:00:00Z"


def _is(item: dict[str, Any], name: str, made: str | None) -> bool:
    return (item["Type"], item["id"]) == (name, made or "corp-info")


# 3. Indexes


def test_what_is_below_a_category_is_found_by_the_beginning_of_its_key(documented: Scene) -> None:
    below = documented.query("PK = :pk AND begins_with(SK, :prefix)", pk="CATEGORY#c001",
                             prefix="POST#")  # fmt: skip
    assert below == [EXAMPLES["Post"]]
    [found] = documented.app.store.query(patterns.posts_in("c001"))
    assert found.id == "p001"


def test_the_index_sorts_posts_of_all_categories_newest_first(scene: Scene) -> None:
    for category in ("c001", "c002"):
        scene.category(category)
    for number in range(6):
        scene.clock.advance(timedelta(seconds=1))
        scene.article("posts", f"c00{number % 2 + 1}", f"Post {number}")
    newest_first = [f"Post {number}" for number in reversed(range(6))]
    assert [post.title for post in scene.app.store.query(patterns.all_posts())] == newest_first
    first = scene.public("/posts?limit=4")
    second = scene.public(f"/posts?limit=4&cursor={first['cursor']}")
    listed = [post["title"] for page in (first, second) for post in page["items"]]
    assert listed == newest_first
    assert second["cursor"] is None
    theirs = scene.query("#type = :type", {"#type": "Type"}, type="Post")
    assert [item["title"] for item in theirs] == newest_first


def test_the_documents_own_query_needs_a_placeholder_for_its_reserved_word(
    documented: Scene,
) -> None:
    client = documented.client
    with pytest.raises(client.exceptions.ClientError, match="reserved keyword: Type"):
        documented.query("Type = :type", {"#unused": "Type"}, type="Banner")
    assert documented.query("#t = :type", {"#t": "Type"}, type="Banner") == [EXAMPLES["Banner"]]


def test_pointers_and_guards_have_no_type_and_are_not_in_the_index(scene: Scene) -> None:
    scene.category("c001", slug="news")
    scene.article("posts", "c001", "Post")
    draft = scene.article("drafts", "c001", "Draft")
    scene.data("POST", f"/drafts/{draft['id']}/publish", json={})
    scene.app.site.tokens.sign_in_code("u000")
    everything, index = scene.items(), scene.items(BY_TYPE.name)
    assert {item["Type"] for item in index} == {"User", "Token", "Category", "Post"}
    helpers = [item for item in everything if "Type" not in item]
    kinds = sorted(item["PK"].partition("#")[0] for item in helpers)
    assert kinds == ["CATEGORY_GUARD", "POST", "POST", "POST", "SIGN_IN", "SLUG"]
    assert len(index) == len(everything) - len(helpers)


# 4. The key builder and the access patterns


def test_keys_are_built_for_all_six() -> None:
    built = {name: ref() for name, (ref, _) in READ_BY_KEY.items()}
    assert {name: (ref.pk, ref.sk) for name, ref in built.items()} == {
        name: (item["PK"], item["SK"]) for name, item in EXAMPLES.items()
    }


def _one(ref: Callable[[], Ref[Any]]) -> Callable[[Scene], list[Any]]:
    return lambda scene: [scene.app.store.get(ref())]


PK_AND_SK = "PK = :pk AND SK = :sk"
ROWS: dict[str, tuple[str, dict[str, str], Callable[[Scene], list[Any]], str]] = {
    "특정 유저 조회": (
        PK_AND_SK,
        {"pk": "USER#u001", "sk": METADATA},
        _one(lambda: patterns.user("u001")),
        "/users/u001",
    ),
    "카테고리 상세": (
        PK_AND_SK,
        {"pk": "CATEGORY#c001", "sk": METADATA},
        _one(lambda: patterns.category("c001")),
        "/categories/c001",
    ),
    "카테고리 내 게시물": (
        "PK = :pk AND begins_with(SK, :prefix)",
        {"pk": "CATEGORY#c001", "prefix": "POST#"},
        lambda scene: list(scene.app.store.query(patterns.posts_in("c001"))),
        "/posts?category=c001",
    ),
    "특정 게시물 조회": (
        "PK = :categoryPk AND SK = :postSk",
        {"categoryPk": "CATEGORY#c001", "postSk": "POST#p001"},
        _one(lambda: patterns.post("c001", "p001")),
        "/posts/p001",
    ),
    "모든 배너 조회": (
        "#type = :type",
        {"type": "Banner"},
        lambda scene: list(scene.app.store.query(patterns.all_banners())),
        "/banners",
    ),
    "회사 정보 조회": (
        PK_AND_SK,
        {"pk": "CORP#INFO", "sk": METADATA},
        _one(patterns.company),
        "/corp",
    ),
    "문의 조회": (
        PK_AND_SK,
        {"pk": "CONTACT#inq001", "sk": METADATA},
        _one(lambda: patterns.inquiry("inq001")),
        "/contact/inq001",
    ),
}


@pytest.mark.parametrize("purpose", ROWS)
def test_each_row_of_the_access_patterns_is_a_function_and_a_route(
    documented: Scene, purpose: str
) -> None:
    condition, values, read, path = ROWS[purpose]
    _point_at_the_post(documented)
    names = {"#type": "Type"} if "#type" in condition else None
    theirs = documented.query(condition, names, **values)
    assert theirs
    keys = {"PK", "SK"}
    expected = [
        {k: v for k, v in item.items() if k not in keys} | {"version": 1} for item in theirs
    ]
    assert [record_item(found) for found in read(documented)] == expected
    data = documented.data("GET", path)
    assert data.get("items", [data]) == expected


def _point_at_the_post(scene: Scene) -> None:
    """Write what a migration writes with a post: by its id alone it is found by its pointer."""
    post = scene.app.store.get(patterns.post("c001", "p001"))
    assert post is not None
    scene.app.store.transact(articles.pointer_writes(post))


def test_a_post_of_ours_is_found_by_its_id_alone(scene: Scene) -> None:
    scene.category("c001")
    post = scene.article("posts", "c001", "Post")
    assert scene.public(f"/posts/{post['id']}") == post
    moved = scene.data("PATCH", f"/posts/{post['id']}", json={"title": "New", "version": 1})
    assert scene.public(f"/posts/{post['id']}") == moved


# 5. The order of sort keys is that of creation


def test_sort_keys_of_posts_are_in_the_order_of_their_creation(scene: Scene) -> None:
    scene.category("c001")
    early = scene.article("drafts", "c001", "Begun first, published last")
    for number in range(5):
        scene.clock.advance(timedelta(milliseconds=700))
        scene.article("posts", "c001", f"Post {number}")
    scene.clock.advance(timedelta(milliseconds=700))
    published = scene.data("POST", f"/drafts/{early['id']}/publish", json={})
    found = scene.query("PK = :pk AND begins_with(SK, :prefix)", pk="CATEGORY#c001",
                        prefix="POST#")  # fmt: skip
    assert [item["title"] for item in found] == [
        *(f"Post {number}" for number in range(5)),
        "Begun first, published last",
    ]
    moments = [item["CreatedAt"] for item in found]
    assert moments == sorted(moments)
    assert scene.public(f"/posts/{early['id']}")["id"] == published["id"] == found[-1]["id"]


# 8. Consistency, and what expires


def test_reads_are_eventually_consistent_unless_strong_ones_are_asked_for(
    documented: Scene,
) -> None:
    store = documented.app.store
    for path, ref in (("/corp", patterns.company()), ("/users/u001", patterns.user("u001"))):
        assert documented.data("GET", path) == documented.data("GET", f"{path}?consistent=true")
        with store.metered() as weak:
            store.get(ref)
        with store.metered() as strong:
            store.get(ref, consistent=True)
        assert (weak.cost.reads, strong.cost.reads) == (0.5, 1.0)
    assert documented.public("/posts?category=c001&consistent=true")["read"]["units"] == 1.0
    assert documented.public("/posts?category=c001")["read"]["units"] == 0.5
    refused = documented.ask("GET", "/posts?consistent=true")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "usage")


def test_banners_and_notices_end_when_their_time_is_over(scene: Scene) -> None:
    scene.category("c001")
    end = int((NOON + DAY).timestamp())
    banner = {"title": "Banner", "imgUri": "https://cdn.example.com/b.png", "expiresAt": end}
    made = scene.data("POST", "/banners", json=banner)
    notice = scene.article("posts", "c001", "Notice", expiresAt=end)
    paths = (f"/banners/{made['id']}", f"/posts/{notice['id']}")
    assert [scene.public(path)["expiresAt"] for path in paths] == [end, end]
    scene.clock.advance(DAY)
    assert [scene.http.get(path).status_code for path in paths] == [404, 404]
    for path in ("/banners", "/posts", "/posts?category=c001", "/items?type=Banner"):
        assert scene.public(path)["items"] == []
    expiring = {item["PK"] for item in scene.items() if item.get("expiresAt") == end}
    assert {pk.partition("#")[0] for pk in expiring} == {"BANNER", "CATEGORY", "POST"}


# What the document leaves to the layer above it


def test_drafts_are_for_the_staff_alone(scene: Scene) -> None:
    scene.category("c001")
    draft = scene.article("drafts", "c001", "Draft")
    assert scene.public("/posts")["items"] == scene.public("/posts?category=c001")["items"] == []
    assert scene.http.get(f"/posts/{draft['id']}").status_code == 404
    together = scene.app.store.query(patterns.category_with_posts("c001"))
    assert [type(each).__name__ for each in together] == ["Category"]
    for path in ("/drafts", f"/drafts/{draft['id']}", "/items?type=Draft"):
        assert scene.http.get(path).status_code == 401
        assert scene.ask("GET", path).status_code == 200


def test_a_category_is_deleted_when_nothing_is_in_it(scene: Scene) -> None:
    scene.category("c001")
    post = scene.article("posts", "c001", "Post")
    refused = scene.ask("DELETE", "/categories/c001")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "category_has_posts")
    scene.data("DELETE", f"/posts/{post['id']}")
    scene.data("DELETE", "/categories/c001")
    assert scene.http.get("/categories/c001").status_code == 404
    assert [item for item in scene.items() if "c001" in item["PK"]] == []


def test_of_many_editors_at_once_one_wins_and_the_others_are_told_both_versions(
    scene: Scene,
) -> None:
    scene.category("c001")
    path = f"/posts/{scene.article('posts', 'c001', 'Post')['id']}"

    def edit(number: int) -> Any:
        body = {"title": f"Editor {number}"}
        return scene.ask("PATCH", path, json=body, headers={"If-Match": '"1"'})

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(edit, range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 7
    [won] = [answer.json()["data"] for answer in answers if answer.status_code == 200]
    assert scene.public(path) == won
    for answer in answers:
        if answer.status_code == 412:
            details = answer.json()["error"]["details"]
            assert (details["yours"], details["current"], details["item"]) == (1, 2, won)


def test_a_post_that_many_move_at_once_ends_in_one_place(scene: Scene) -> None:
    for number in range(5):
        scene.category(f"c00{number}")
    path = f"/posts/{scene.article('posts', 'c000', 'Post')['id']}"

    def move(number: int) -> int:
        body = {"categoryId": f"c00{number}", "version": 1}
        return scene.ask("PATCH", path, json=body).status_code

    with ThreadPoolExecutor(4) as pool:
        statuses = sorted(pool.map(move, range(1, 5)))
    assert statuses == [200, 409, 409, 409]
    [stored] = [item for item in scene.items() if item["SK"].startswith("POST#")]
    assert stored["PK"] == f"CATEGORY#{scene.public(path)['categoryId']}"
    pointing = [item for item in scene.items() if item["PK"] == f"POST#{stored['id']}"]
    assert [each["categoryId"] for each in pointing] == [stored["categoryId"]]


def test_a_token_that_has_expired_or_was_revoked_opens_nothing(scene: Scene) -> None:
    tokens = scene.app.site.tokens
    short = tokens.create(user_id="u000", role="admin", expires_in_days=1)
    revoked = tokens.create(user_id="u000", role="admin")
    tokens.revoke("u000", revoked.token.id)
    scene.clock.advance(DAY)
    for text in (short.text, revoked.text, "gotgan", short.text[:-1]):
        headers = {"Authorization": f"Bearer {text}"}
        for path in ("/users", "/contact", "/items?type=User"):
            assert scene.http.get(path, headers=headers).status_code == 401


def test_programs_know_the_table_by_its_types(documented: Scene) -> None:
    told = documented.public("/types")
    types = {each["type"]: each for each in told["items"]}
    assert set(EXAMPLES) <= set(types)
    for name, item in EXAMPLES.items():
        assert types[name]["key"]["PK"].partition("#")[0] == item["PK"].partition("#")[0]
        assert set(item) - {"PK", "SK"} <= set(types[name]["schema"]["properties"])
        public = types[name]["readableBy"] == "public"
        answer = documented.http.get("/items", params={"type": name})
        assert answer.status_code == (200 if public else 401)
        assert as_shown(name) in documented.data("GET", f"/items?type={name}")["items"]
