"""Messages of the simulated web; their Korean is in ``texts/ko/world.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

NO_DAY: Final = Template("world.no_day", "The simulated web has no day {day}. Use one after 1970.")
NO_HOST: Final = Template(
    "world.no_host", "The simulated web has no host {host}. Hosts: {known:list}."
)
NO_FAULT: Final = Template("world.no_fault", "There is no fault {name}. Faults: {known:list}.")
OTHER_HOST: Final = Template(
    "world.other_host", "The fault {fault} cannot happen at {host}. Plan it at {homes:list}."
)
BAD_TIMES: Final = Template(
    "world.bad_times", "A fault happens once or more. Use 0 to repeat it until it is cleared."
)
