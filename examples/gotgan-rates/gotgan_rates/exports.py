"""The rates as a data set for analysis: one file, which new rates make out of date."""

from collections.abc import Iterator

from gotgan.domain import Core
from gotgan.exports import Column, DataSet, ExportSpan, Partition
from gotgan_rates.models import Rate

__all__ = ["data_sets"]

COLUMNS = (Column("currency"), Column("day", "day"), Column("rate", "number"))


def data_sets(core: Core) -> tuple[DataSet, ...]:
    """The data sets of the rates."""

    def partitions(_span: ExportSpan) -> Iterator[Partition]:
        found = core.store.scan(Rate)
        rows = sorted((each.currency, each.day, float(each.rate)) for each in found)
        if rows:  # rates never change, so their number is enough of a version
            yield Partition("", str(len(rows)), lambda: iter(rows))

    return (DataSet("exchange_rates", COLUMNS, partitions, by=None),)
