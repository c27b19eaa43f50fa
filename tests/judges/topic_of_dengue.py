"""A topic with examples and background, small enough to fit in an instant."""

from dataclasses import replace

from honeyguide.model import Example, Level, Page, Step, Term, Topic

DENGUE = (
    "Dengue fever is a viral disease that the mosquito Aedes aegypti carries. Patients have a high fever, "
    "headache and pain in the joints; severe dengue leads to bleeding and shock.",
    "The dengue virus has four serotypes. Infection with a second serotype raises the risk of haemorrhagic "
    "fever. A vaccine against dengue is given in countries where the mosquito is common.",
    "Mosquito control keeps dengue away: empty standing water, use nets and repellents, and report cases of "
    "fever to the health service so that the spread of the virus can be followed.",
)
OTHERS = (
    "The parliament met on Tuesday to discuss the budget for roads and railways in the northern province.",
    "Mix the flour with butter and sugar, add two eggs, and bake the cake in the oven for forty minutes.",
    "The team won the match in the last minute; the striker scored twice and the crowd sang all evening.",
    "A compiler translates a program into instructions that a processor can carry out.",
    "The novel tells of three sisters who inherit a house by the sea and cannot agree what to do with it.",
    "Interest rates rose again this spring, and banks expect fewer people to buy houses.",
    "The composer wrote nine symphonies, and the last of them was played only after his death.",
    "Sand and gravel are washed down by the river and settle where the water slows.",
)
EXAMPLES = tuple(Example(text, "Dengue") for text in DENGUE)
BACKGROUND = tuple(map(Example, OTHERS))
TOPIC = Topic("dengue fever", keywords=("mosquito",), examples=EXAMPLES, background=BACKGROUND)

WHOLE_TOPIC = replace(
    TOPIC,
    keywords=("mosquito", "Aedes aegypti"),
    background=BACKGROUND[:4],
    off_topic=(
        Example("Malaria is a disease caused by parasites that another mosquito carries.", "Malaria"),
    ),
    vocabulary=(
        Term("dengue", 20),
        Term("dengue fever", 60),
        Term("mosquito AND virus", 30),
        Term("malaria", -20),
    ),
    branch=(
        Level("Dengue", tuple(map(Example, DENGUE))),
        Level(
            "Infectious Diseases",
            (Example("Infectious diseases spread from one patient to another by a virus."),),
        ),
        Level("Health"),
    ),
    session=(
        *(Step(example, False) for example in BACKGROUND[:4]),
        *(Step(Example(text), True) for text in DENGUE),
    ),
)
"""The same with everything that a topic can say."""

ON = Page(
    url="https://a.example/1",
    title="Outbreak",
    text="Doctors report more patients with dengue. The virus spreads where mosquitoes breed, and the fever "
    "lasts a week; a vaccine is being tried.",
)
NEAR = Page(
    url="https://a.example/2",
    title="Yellow fever",
    text="Yellow fever is an infection that insects carry in the tropics; the sick shiver and bleed.",
)
OFF = Page(
    url="https://a.example/3",
    title="Election",
    text="The minister lost her seat in the election after a debate on the budget of the province.",
)
