"""Products and changes of all shops over the API, beside those of one shop."""

from __future__ import annotations

from gotgan.app import App
from tests.unit.api.calling import Api
from tests.unit.api.shops.stock import register
from tests.unit.console.shops.filling import product, seen


def test_changes_are_at_a_path_for_one_shop_and_for_all(api: Api, app: App) -> None:
    register(api, "one.test")
    register(api, "two.test")
    for domain in ("one.test", "two.test"):
        seen(app, product(app, domain, "chair"), 5_000, title="A chair")
    app.shops.refresh(["one.test", "two.test"])
    found = api.data("GET", "/shops/changes", role="viewer")
    assert sorted(each["domain"] for each in found["items"]) == ["one.test", "two.test"]
    assert {each["kind"] for each in found["items"]} == {"new"}
    assert found["asOf"] is not None
    one = api.data("GET", "/shops/one.test/changes", role="viewer")
    assert ([each["domain"] for each in one["items"]], one["asOf"]) == (["one.test"], None)
    same = api.data("GET", "/shops/changes", params={"domain": "one.test"}, role="viewer")
    assert same["items"] == one["items"]
    none = api.data("GET", "/shops/changes", params={"kind": "sold"}, role="viewer")
    assert none["items"] == []


def test_products_and_one_product_are_listed_before_a_shop_of_that_name(api: Api, app: App) -> None:
    register(api, "one.test")
    page = product(app, "one.test", "chair")
    seen(app, page, 5_000, title="A chair")
    app.shops.refresh(["one.test"])
    query = {"text": "chair", "minPrice": 40, "domains": "one.test", "sort": "-price"}
    found = api.data("GET", "/shops/products", params=query, role="viewer")
    assert [each["priceText"] for each in found["items"]] == ["50.00 EUR"]
    assert found["total"] == 1
    told = api.data("GET", "/shops/product", params={"url": page.url}, role="viewer")
    assert (told["product"]["title"], told["sources"]) == ("A chair", {"price": "json-ld"})


def test_a_shop_is_removed_by_an_administrator(api: Api) -> None:
    register(api, "one.test")
    body = {"domain": "one.test"}
    assert api.call("POST", "/shops/remove", role="editor", json=body).status_code == 403
    removed = api.data("POST", "/shops/remove", role="admin", json=body)
    assert (removed["domain"], removed["isComplete"]) == ("one.test", True)
    assert api.call("GET", "/shops/one.test", role="viewer").status_code == 404
