"""The hosts of the demo web: what each is about, how large it is and how it looks."""

from typing import NamedTuple

from honeyguide.demo.prose import TOPIC


class Section(NamedTuple):
    """A part of a site: its folder, its title, and how many articles on which topics it holds."""

    folder: str
    title: str
    articles: tuple[tuple[str, int], ...]
    aspects: tuple[str, ...] = ()
    """The only aspects that its articles take up; all when empty."""


class Site(NamedTuple):
    """A host and everything on it that is not peculiar."""

    host: str
    title: str
    tagline: str
    intro: str
    about: frozenset[str] = frozenset()
    sections: tuple[Section, ...] = ()
    layout: str = "modern"
    menu: tuple[tuple[str, str], ...] = ()
    """Entries before those of the sections."""
    kind: str = "page"
    hidden: bool = False
    """Whether no other site links here unless told to."""
    delay: float = 0.0


SITES = (
    Site(
        "tropical-health.test",
        "Tropical Health Trust",
        "Medicine for warm countries since 1931",
        "The Trust runs clinics, trains nurses and publishes what it learns about the diseases of warm "
        "countries. Doctors and patients alike will find plain advice on these pages.",
        frozenset({"malaria", TOPIC}),
        (
            Section("dengue", "Dengue fever", ((TOPIC, 8),)),
            Section("malaria", "Malaria", (("malaria", 15),)),
            Section("travellers", "Advice for travellers", (("travel", 5),), ("health",)),
        ),
        menu=(("/calendar/2026/11", "Events calendar"),),
    ),
    Site(
        "dengue-watch.test",
        "Dengue Watch",
        "Counting cases, explaining dengue",
        "Dengue Watch collects reports of dengue fever from health offices and clinics, explains them, and "
        "tells the stories behind the numbers. New bulletins appear every week of the dengue season.",
        frozenset({TOPIC}),
        (
            Section("bulletins", "Outbreak bulletins", ((TOPIC, 5),), ("outbreak", "control")),
            Section(
                "background",
                "Background",
                ((TOPIC, 8),),
                ("virus", "transmission", "vaccine", "diagnosis", "history", "symptoms", "treatment"),
            ),
            Section("stories", "Stories", ((TOPIC, 4),), ("living", "history")),
        ),
        layout="divs",
    ),
    Site(
        "mosquito-watch.test",
        "Mosquito Watch",
        "A field guide by volunteers",
        "Volunteers count, photograph and name mosquitoes and other small insects here. Send us your "
        "pictures, and read how the animals live before you swat them.",
        frozenset({"mosquitoes"}),
        (
            Section("species", "Species and lives", (("mosquitoes", 12),), ("biology", "insects")),
            Section("traps", "Traps and repellents", (("mosquitoes", 10),), ("repellent", "monitoring")),
            Section(
                "disease",
                "Mosquitoes and disease",
                ((TOPIC, 4), ("malaria", 4)),
                ("transmission", "control", "nets"),
            ),
        ),
    ),
    Site(
        "river-institute.test",
        "River Institute of Virology",
        "Research beside the water",
        "Our laboratories study viruses carried by insects. The machine that serves these pages is older than "
        "some of our students; please be patient with it.",
        frozenset({TOPIC}),
        (
            Section("research", "Research notes", ((TOPIC, 5),), ("virus", "diagnosis", "vaccine")),
            Section("fevers", "Other fevers", (("malaria", 4),)),
        ),
        layout="tables",
        kind="slow",
        delay=0.15,
    ),
    Site(
        "breakbone-diary.test",
        "The Breakbone Diary",
        "Notes from a dengue ward",
        "I am a nurse on a dengue ward. At night, when the fans hum and nobody calls, I write down what the "
        "patients tell me about their dengue fever and what the days have taught us.",
        frozenset({TOPIC}),
        (Section("diary", "Diary", ((TOPIC, 7),), ("living", "treatment", "symptoms")),),
        layout="divs",
        hidden=True,
    ),
    Site(
        "health-desk.test",
        "The Health Desk",
        "Questions answered by nurses",
        "Nurses answer letters from readers. The desk is busy: if a page asks you to come back in a moment, "
        "please do.",
        frozenset({"asthma"}),
        (
            Section(
                "answers",
                "Letters and answers",
                ((TOPIC, 3), ("asthma", 6)),
                ("symptoms", "treatment", "basics", "triggers"),
            ),
        ),
    ),
    Site(
        "asthma-clinic.test",
        "Asthma Clinic Online",
        "Breathe easier",
        "The clinic explains asthma to families, schools and anyone who has ever been short of breath.",
        frozenset({"asthma"}),
        (
            Section("living", "Living with asthma", (("asthma", 13),), ("basics",)),
            Section("inhalers", "Inhalers", (("asthma", 14),), ("inhalers",)),
            Section("triggers", "Triggers", (("asthma", 14),), ("triggers",)),
            Section("emergency", "Attacks and emergencies", (("asthma", 12),), ("care",)),
        ),
    ),
    Site(
        "travel-far.test",
        "Travel Far",
        "Slow journeys, honest notes",
        "Beaches, night trains, ridges and the things nobody tells you before you pack: notes by people who "
        "went and came back.",
        frozenset({"travel"}),
        (
            Section("coasts", "Coasts and islands", (("travel", 13),), ("beaches",)),
            Section("cities", "Cities", (("travel", 13),), ("cities",)),
            Section("hills", "Hills and trails", (("travel", 12),), ("hiking",)),
            Section("planning", "Planning", (("travel", 10),), ("money",)),
            Section(
                "health",
                "Staying well",
                (("travel", 6), (TOPIC, 2), ("malaria", 3)),
                ("health", "living", "nets"),
            ),
        ),
        layout="divs",
    ),
    Site(
        "green-balcony.test",
        "The Green Balcony",
        "Tropical plants in cold towns",
        "How to grow hibiscus, bananas and far too many tomatoes between a railing and a wall.",
        frozenset({"gardening"}),
        (
            Section("pots", "Pots and balconies", (("gardening", 12),), ("balcony",)),
            Section("water", "Ponds and barrels", (("gardening", 9),), ("ponds",)),
            Section("food", "Vegetables", (("gardening", 12),), ("vegetables",)),
            Section("ground", "Shrubs and soil", (("gardening", 12),), ("shrubs", "lawns")),
        ),
        menu=(("/plants/", "Plant finder"),),
    ),
    Site(
        "goal-kick.test",
        "Goal Kick",
        "Football below the top",
        "Reports, transfers and arguments from the lower leagues, written in the rain.",
        frozenset({"football"}),
        (
            Section("reports", "Match reports", (("football", 20),), ("match",)),
            Section("transfers", "Transfers", (("football", 13),), ("transfer",)),
            Section("tactics", "Tactics", (("football", 12),), ("tactics",)),
            Section("clubs", "Clubs and leagues", (("football", 15),), ("club", "league")),
        ),
        menu=(("/results?round=1", "Results"),),
    ),
    Site(
        "fever-portal.test",
        "Dengue Fever Information Portal",
        "Dengue fever: symptoms, treatment, vaccine, news",
        "Welcome to the dengue fever information portal. While the medical section is being prepared, our "
        "editors share their other passions.",
        frozenset({"football"}),
        (
            Section("news", "Dengue fever news", (("football", 18),)),
            Section("prevention", "Dengue prevention", (("gardening", 18),)),
        ),
        menu=(("/about", "Dengue symptoms and treatment"),),
        kind="portal",
    ),
    Site(
        "city-notes.test",
        "City Notes",
        "The paper for four towns and a valley",
        "Council, weather, people and what's on, from our reporters on bicycles.",
        frozenset({"city"}),
        (
            Section("council", "Council", (("city", 11),), ("council",)),
            Section("weather", "Weather and roads", (("city", 10),), ("weather",)),
            Section("people", "People", (("city", 11),), ("people",)),
            Section("world", "Abroad", ((TOPIC, 3), ("travel", 3)), ("outbreak", "cities")),
        ),
    ),
    Site(
        "kitchen-table.test",
        "Kitchen Table",
        "Bread, soup and patience",
        "Recipes that have been cooked more often than photographed.",
        frozenset({"cooking"}),
        (
            Section("bread", "Bread", (("cooking", 10),), ("bread",)),
            Section("soups", "Soups", (("cooking", 10),), ("soups",)),
            Section("sweet", "Cakes and jam", (("cooking", 10),), ("cakes",)),
        ),
        layout="tables",
    ),
    Site(
        "brass-band.test",
        "Valley Brass Band",
        "Rehearsals on Thursdays",
        "Concerts, photographs and the eternal search for a second euphonium.",
        frozenset({"city"}),
        (Section("concerts", "Concerts", (("city", 5),), ("culture",)),),
        layout="tables",
        kind="robots-flaky",
    ),
    Site(
        "village-hall.test",
        "Village Hall",
        "Rooms, clubs and a forum",
        "Book a room, join a club, or argue about the car park in our forum.",
        frozenset({"city"}),
        (Section("clubs", "Clubs", (("city", 4),), ("culture",)),),
        menu=(("/forum/", "Forum"), ("/rooms/", "Book a room")),
        layout="divs",
    ),
    Site(
        "old-archive.test",
        "The Old Archive",
        "Papers that nobody threw away",
        "Articles saved from sites that are no longer there. Many have moved more than once.",
        frozenset({"city"}),
        (
            Section(
                "papers",
                "Papers",
                ((TOPIC, 3), ("malaria", 3), ("city", 4)),
                ("history", "parasite", "people"),
            ),
        ),
        layout="tables",
    ),
    Site(
        "lab-bench.test",
        "Lab Bench",
        "Files, formats and figures",
        "A bench full of data: reports in many formats, some of them tidy.",
        frozenset({"mosquitoes"}),
        (Section("notes", "Notes", (("mosquitoes", 4), (TOPIC, 2)), ("monitoring", "insects", "diagnosis")),),
    ),
    Site(
        "campus-library.test",
        "Campus Library",
        "Guides to the web by subject",
        "Our librarians read the web so that you do not have to. Each guide lists sites and single pages "
        "on one subject, with a line about each.",
    ),
    Site(
        "world-voices.test",
        "World Voices",
        "The same world in other words",
        "Short texts in many languages, some of them typed on very old machines.",
    ),
    Site("no-entry.test", "No Entry", "Nothing for robots", "This site is for members only."),
    Site("gone-dark.test", "Gone Dark", "", ""),
    Site("www.river-institute.test", "River Institute of Virology", "", ""),
)

MIRRORS = {"www.river-institute.test": "river-institute.test"}
DEAD = frozenset({"gone-dark.test"})
