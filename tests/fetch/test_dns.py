import asyncio

import pytest
from hostile_server import NXDOMAIN, SERVFAIL, NameServer

from honeyguide.errors import ErrorKind, FetchError, PageError, Refusal
from honeyguide.fetch.dns import Resolver, is_public

PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "2a00:1450::1",
    "64:ff9b::8.8.8.8",
]
PRIVATE = [
    "0.0.0.0",
    "0.1.2.3",
    "10.1.2.3",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.0.9",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::7f00:1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:a01:203::1",
    "3fff::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", PRIVATE)
async def test_a_private_address_is_refused_as_a_literal(address: str) -> None:
    assert not is_public(address)
    with pytest.raises(Refusal) as caught:
        await Resolver().resolve(f"[{address}]" if ":" in address else address)
    assert caught.value.kind is ErrorKind.PRIVATE


async def test_a_literal_needs_no_name_server() -> None:
    resolver = Resolver(nameservers=("127.0.0.1:1",))
    assert await resolver.resolve("8.8.8.8") == ("8.8.8.8",)
    assert await resolver.resolve("[2606:4700:0:0::1111]") == ("2606:4700::1111",)


@pytest.mark.parametrize(
    "host", ["127.1", "0x7f.1", "2130706433", "017700000001", "localhost", "a.localhost"]
)
async def test_an_odd_spelling_of_loopback_never_gives_an_address(host: str) -> None:
    async with NameServer({}) as server:
        resolver = Resolver(nameservers=(server.spec,))
        with pytest.raises(PageError):
            await resolver.resolve(host)
        await resolver.close()


async def test_static_names_come_first_and_are_guarded_too() -> None:
    hosts = {"demo.test": "127.0.0.1", "far.test": "8.8.8.8"}
    assert await Resolver(hosts=hosts).resolve("far.test") == ("8.8.8.8",)
    with pytest.raises(Refusal):
        await Resolver(hosts=hosts).resolve("demo.test")
    assert await Resolver(hosts=hosts, allow_private=True).resolve("demo.test") == ("127.0.0.1",)


async def test_private_addresses_are_allowed_by_name_and_by_address() -> None:
    hosts = {"demo.test": "127.0.0.1", "other.test": "127.0.0.2", "third.test": "127.0.0.3"}
    resolver = Resolver(hosts=hosts, allow_private=("demo.test", "127.0.0.2", "::1"))
    assert await resolver.resolve("demo.test") == ("127.0.0.1",)
    assert await resolver.resolve("other.test") == ("127.0.0.2",)
    assert await resolver.resolve("[::1]") == ("::1",)
    for host in ("third.test", "127.0.0.1"):
        with pytest.raises(Refusal):
            await resolver.resolve(host)


async def test_names_are_looked_up_in_both_families() -> None:
    async with NameServer({"site.test": ("8.8.8.8", "2606:4700::1111")}) as server:
        resolver = Resolver(nameservers=(server.spec,))
        assert sorted(await resolver.resolve("site.test")) == ["2606:4700::1111", "8.8.8.8"]
        await resolver.close()


async def test_of_a_mixed_answer_only_the_public_part_is_given() -> None:
    async with NameServer({"mixed.test": ("10.0.0.1", "8.8.8.8", "127.0.0.1")}) as server:
        resolver = Resolver(nameservers=(server.spec,))
        assert await resolver.resolve("mixed.test") == ("8.8.8.8",)
        await resolver.close()


async def test_a_name_that_leads_into_a_private_network_is_refused() -> None:
    async with NameServer({"rebind.test": ("169.254.169.254",)}) as server:
        resolver = Resolver(nameservers=(server.spec,))
        for _ in range(2):
            with pytest.raises(Refusal) as caught:
                await resolver.resolve("rebind.test")
            assert caught.value.kind is ErrorKind.PRIVATE
        await resolver.close()


async def test_an_answer_is_kept_for_its_time_and_then_asked_for_again() -> None:
    clock = Clock()
    async with NameServer({"site.test": ("8.8.8.8",)}) as server:
        resolver = Resolver(nameservers=(server.spec,), ttl=60, clock=clock)
        await resolver.resolve("site.test")
        server.names["site.test"] = ("1.1.1.1",)
        clock.now += 59
        assert await resolver.resolve("site.test") == ("8.8.8.8",)
        clock.now += 2
        assert await resolver.resolve("site.test") == ("1.1.1.1",)
        await resolver.close()


async def test_a_name_rebound_to_a_private_address_is_refused_once_asked_again() -> None:
    clock = Clock()
    async with NameServer({"site.test": ("8.8.8.8",)}) as server:
        resolver = Resolver(nameservers=(server.spec,), ttl=60, clock=clock)
        await resolver.resolve("site.test")
        server.names["site.test"] = ("127.0.0.1",)
        clock.now += 61
        with pytest.raises(Refusal):
            await resolver.resolve("site.test")
        await resolver.close()


async def test_those_who_ask_together_share_one_question() -> None:
    async with NameServer({"site.test": ("8.8.8.8",)}) as server:
        resolver = Resolver(nameservers=(server.spec,))
        answers = await asyncio.gather(*(resolver.resolve("site.test") for _ in range(20)))
        assert set(answers) == {("8.8.8.8",)}
        assert len(server.queries) == 2  # one for each family
        await resolver.close()


async def test_who_gives_up_waiting_does_not_spoil_the_answer_for_others() -> None:
    async with NameServer({"site.test": ("8.8.8.8",)}) as server:
        resolver = Resolver(nameservers=(server.spec,))
        impatient = asyncio.create_task(resolver.resolve("site.test"))
        patient = asyncio.create_task(resolver.resolve("site.test"))
        await asyncio.sleep(0)
        impatient.cancel()
        assert await patient == ("8.8.8.8",)
        await resolver.close()


async def test_a_name_that_does_not_exist_is_not_asked_for_again_soon() -> None:
    async with NameServer({"gone.test": NXDOMAIN}) as server:
        resolver = Resolver(nameservers=(server.spec,))
        for _ in range(3):
            with pytest.raises(FetchError) as caught:
                await resolver.resolve("gone.test")
            assert caught.value.kind is ErrorKind.DNS
            assert not caught.value.transient
        assert len(server.queries) == 2
        await resolver.close()


async def test_a_name_server_in_trouble_is_a_passing_failure() -> None:
    clock = Clock()
    async with NameServer({"site.test": SERVFAIL}) as server:
        resolver = Resolver(nameservers=(server.spec,), failure_ttl=5, clock=clock)
        with pytest.raises(FetchError) as caught:
            await resolver.resolve("site.test")
        assert caught.value.kind is ErrorKind.DNS
        assert caught.value.transient
        server.names["site.test"] = ("8.8.8.8",)
        clock.now += 6
        assert await resolver.resolve("site.test") == ("8.8.8.8",)
        await resolver.close()


async def test_a_silent_name_server_is_given_up_in_time() -> None:
    async with NameServer({"slow.test": None}) as server:
        resolver = Resolver(nameservers=(server.spec,), timeout=0.3)
        async with asyncio.timeout(3):
            with pytest.raises(FetchError) as caught:
                await resolver.resolve("slow.test")
        assert caught.value.transient
        await resolver.close()


@pytest.mark.parametrize("host", ["a..b", "x" * 70 + ".test", ".".join(["long"] * 80), "sp ace.test", ""])
async def test_a_name_that_is_none_is_a_lasting_failure(host: str) -> None:
    async with NameServer({}) as server:
        resolver = Resolver(nameservers=(server.spec,))
        with pytest.raises(FetchError) as caught:
            await resolver.resolve(host)
        assert caught.value.kind is ErrorKind.DNS
        assert not caught.value.transient
        await resolver.close()


async def test_the_cache_is_bounded() -> None:
    names = {f"n{n}.test": ("8.8.8.8",) for n in range(30)}
    async with NameServer(names) as server:
        resolver = Resolver(nameservers=(server.spec,), capacity=10)
        for name in names:
            await resolver.resolve(name)
        before = len(server.queries)
        await resolver.resolve("n29.test")
        assert len(server.queries) == before
        await resolver.resolve("n0.test")
        assert len(server.queries) > before
        await resolver.close()


async def test_closing_ends_the_look_ups_under_way() -> None:
    async with NameServer({"slow.test": None}) as server:
        resolver = Resolver(nameservers=(server.spec,))
        waiting = asyncio.create_task(resolver.resolve("slow.test"))
        await server.asked.wait()
        await resolver.close()
        async with asyncio.timeout(1):
            with pytest.raises(asyncio.CancelledError):
                await waiting
