"""Exchange rates of the European Central Bank, as a domain of Gotgan."""

from gotgan.domain import Domain, Job

__all__ = ["DOMAIN"]

DOMAIN = Domain(
    name="rates",
    line="Collect the exchange rates of the European Central Bank.",
    service="gotgan_rates.service:Rates",
    tables="gotgan_rates.models",
    exports="gotgan_rates.exports",
    texts="gotgan_rates",
    jobs=(
        Job(
            "rates.collect",
            "30 16 * * 1-5",
            gate="rates.is_ready",
            words="Stores the exchange rates of the day.",
            zone="Europe/Berlin",
        ),
    ),
)
