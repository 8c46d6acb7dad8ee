"""What people say to an assistant about what it keeps, and what each of it is, as people judged it who know the file.

A line is `text | subject | value | old`; `-` and what is left out are None. `NOTHING` is chat that asks nothing
of the file, or nothing that one sentence could surely tell. What the rules miss is in here, too.
"""

from dataclasses import dataclass

from apps.policy.intents import Intent
from tests.policy.said_to_chat import NOTHING

KNOWN = frozenset(
    "home.city home.address contact.phone contact.email name kitchen.equipment work.employer dentist shoe-size birthday"
    " health.allergy.peanuts taste.cilantro".split()
)


@dataclass(frozen=True, slots=True)
class Said:
    """A text and what it is; `intent` None: it asks nothing of the file."""

    text: str
    intent: Intent | None
    subject: str | None = None
    value: str | None = None
    old: str | None = None


def read(block: str, intent: Intent | None) -> list[Said]:
    """The lines of a block."""
    found = []
    for line in filter(None, (each.strip() for each in block.splitlines())):
        text, *rest = (each.strip() for each in line.split(" | "))
        found.append(Said(text, intent, *(None if each == "-" else each for each in rest)))
    return found


ASSERTED = """
    I live in Porto | home.city | Porto
    Hi, I live in Vila Real. | home.city | Vila Real
    Hey, just so you know, I live in Porto | home.city | Porto
    FYI I live in Porto | home.city | Porto
    By the way, I live in Porto. | home.city | Porto
    For the record, my name is Ana Sousa | name | Ana Sousa
    Please remember that my dentist is Dr. Silva | dentist | Dr. Silva
    Remember: my shoe size is 43 | shoe-size | 43
    don't forget that my blood type is O negative | blood-type | O negative
    dont forget I'm allergic to penicillin | health.allergy.penicillin | I'm allergic to penicillin
    im allergic to shellfish | health.allergy.shellfish | im allergic to shellfish
    I'm allergic to shellfish. | health.allergy.shellfish | I'm allergic to shellfish
    I have a shellfish allergy | health.allergy.shellfish | I have a shellfish allergy
    Note that I'm a vegetarian | diet | vegetarian
    I am vegan. | diet | vegan
    My favourite colour is green | favourite.colour | green
    My favorite food is sushi | favourite.food | sushi
    My wife's name is Anna | wife.name | Anna
    My daughter's birthday is 3 June 2015 | daughter.birthday | 3 June 2015
    Anna's birthday is 9 May | anna.birthday | 9 May
    My mother's maiden name is Costa | mother.maiden-name | Costa
    My dog's name is Rex | dog.name | Rex
    My wife is Anna | wife | Anna
    My GP is Dr. Costa | gp | Dr. Costa
    My boss is Rita Gomes | boss | Rita Gomes
    My bank is Santander | bank | Santander
    My car is a Volvo V60 | car | a Volvo V60
    My employer is Sonae | work.employer | Sonae
    I was born in Braga | birth.place | Braga
    I was born in 1984 | birth.year | 1984
    I work as a nurse | work.role | nurse
    I work as a freelance translator. | work.role | freelance translator
    My job title is data analyst | work.role | data analyst
    I can't stand olives | taste.olives | I can't stand olives
    I love jazz | taste.jazz | I love jazz
    I prefer window seats to aisle seats | preference.aisle-seats-or-window-seats | I prefer window seats to aisle seats
    My email is ana@example.org | contact.email | ana@example.org
    My phone number is 912 345 678 | contact.phone | 912 345 678
    I speak Portuguese | language.portuguese | I speak Portuguese
    My native language is Galician | native-language | Galician
    My passport number is P1234567 | passport-number | P1234567
    My licence plate is AA-12-BB | licence-plate | AA-12-BB
    My height is 1.74 m | height | 1.74 m
    I'm 174 cm tall | height | 174 cm
    My ring size is 16 | ring-size | 16
    My budget is 500 euros | budget | 500 euros
    My pronouns are she/her | pronouns | she/her
    My time zone is Europe/Lisbon | time-zone | Europe/Lisbon
    My wifi password is hunter2 | wifi-password | hunter2
    My Netflix username is ana84 | netflix-username | ana84
    I live at 12 Rua Alta, Porto | home.address | 12 Rua Alta, Porto
    My address is 12 Rua Alta, Porto | home.address | 12 Rua Alta, Porto
    User lives in Porto. | home.city | Porto
    The user is allergic to peanuts | health.allergy.peanuts | The user is allergic to peanuts
    The user's name is Ana | name | Ana
    User prefers tea over coffee | preference.coffee-or-tea | User prefers tea over coffee
    The user works at Sonae | work.employer | Sonae
    User's birthday is 9 May | birthday | 9 May
"""

CORRECTED = """
    Actually, I live in Porto | home.city | Porto
    actually i live in Porto | home.city | Porto
    No, my name is Ana | name | Ana
    I moved to Porto | home.city | Porto
    I've just moved to Porto. | home.city | Porto
    I moved from Leeds to Porto | home.city | Porto | Leeds
    I moved back to Leeds | home.city | Leeds
    I don't live in Leeds any more, I live in Porto | home.city | Porto | Leeds
    I no longer live in Leeds, I live in Porto | home.city | Porto | Leeds
    I live in Porto, not Leeds | home.city | Porto | Leeds
    I live in Porto, not in Leeds | home.city | Porto | Leeds
    Not Leeds, Porto | - | Porto | Leeds
    Not Leeds but Porto. | - | Porto | Leeds
    Porto, not Leeds! | - | Porto | Leeds
    not leeds, porto | - | porto | leeds
    It's no longer Leeds, it's Porto | - | Porto | Leeds
    It's not Leeds, it's Porto | - | Porto | Leeds
    It's Porto now | - | Porto
    Actually it's Porto | - | Porto
    I meant Porto, not Leeds. | - | Porto | Leeds
    Leeds is wrong, it should be Porto | - | Porto | Leeds
    It should be Porto, not Leeds | - | Porto | Leeds
    Make that Porto | - | Porto
    Nope, it's 28 cm | - | 28 cm
    My phone number has changed to 933 333 333 | contact.phone | 933 333 333
    My phone number changed, it's now 933 333 333 | contact.phone | 933 333 333
    My phone number is wrong, it's 933 333 333 | contact.phone | 933 333 333
    My new number is 933 333 333 | contact.phone | 933 333 333
    My number is now 933333333 | contact.phone | 933333333
    My email has changed. It's now ana@example.net | contact.email | ana@example.net
    My dentist is now Dr. Costa | dentist | Dr. Costa
    My dentist isn't Dr. Silva, it's Dr. Costa | dentist | Dr. Costa | Dr. Silva
    My name is no longer Ana Sousa, it's Ana Lima | name | Ana Lima | Ana Sousa
    My city is Porto, not Leeds | home.city | Porto | Leeds
    You got my name wrong, it's Ana | name | Ana
    The correct phone number is 933 333 333 | contact.phone | 933 333 333
    Sorry, my mistake: I live in Porto | home.city | Porto
    Scratch that, I live in Porto | home.city | Porto
    I misspoke, I live in Porto | home.city | Porto
    Let me correct that: I live in Porto | home.city | Porto
    Small correction: my name is Ana | name | Ana
    Update: I live in Porto | home.city | Porto
    Edit: my shoe size is 42 | shoe-size | 42
    Wait, no, my shoe size is 42 | shoe-size | 42
    My shoe size is 42, not 43 | shoe-size | 42 | 43
    Change my address to 5 Rua Nova, Faro | home.address | 5 Rua Nova, Faro
    Set my city to Faro | home.city | Faro
    Replace my phone number with 933 333 333 | contact.phone | 933 333 333
    Please correct my name to Ana | name | Ana
    Can you update my phone number to 933 333 333? | contact.phone | 933 333 333
    Could you change my city to Porto, please? | home.city | Porto
    Change my city back to Leeds | home.city | Leeds
    That's not right, I work at Sonae | work.employer | Sonae
    I now work at Sonae | work.employer | Sonae
    I work at Sonae now. | work.employer | Sonae
    I changed jobs, I work at Sonae now | work.employer | Sonae
    I don't work at Sonae anymore, I work at Farfetch | work.employer | Farfetch | Sonae
    User has moved to Porto | home.city | Porto
    The user now lives in Porto | home.city | Porto
    User no longer lives in Leeds; now lives in Porto | home.city | Porto | Leeds
    Correction: user works at Sonae | work.employer | Sonae
    Actualy, I live in Porto | home.city | Porto
"""

REVERTED = """
    go back
    undo that
    Undo the last change
    Revert that change, please
    Go back to the one before
    Change it back
    Put it back the way it was
    Roll that back
    The previous one was right
    The old one was correct.
    Actually the first one was right
    Could you please undo that?
    Restore my previous phone number | contact.phone
    Go back to my old address | home.address
    Go back to the previous version of my name | name
    Undo the change to my phone number | contact.phone
    My old phone number was right | contact.phone
    Switch back to my old email | contact.email
    Roll back my name | name
    Revert my city to what it was | home.city
    Change my city back | home.city
    Put my old phone number back | contact.phone
    Bring back my old phone number | contact.phone
    Set my phone number back to the old one | contact.phone
    Please reset my city to the previous value | home.city
    Use my old phone number again | contact.phone
    Can you restore my old email? | contact.email
"""

REPEATED = """
    As I said, I live in Leeds | home.city | Leeds
    Like I said I live in Leeds | home.city | Leeds
    I already told you I live in Leeds | home.city | Leeds
    I told you, I live in Leeds! | home.city | Leeds
    I've told you before that I live in Leeds | home.city | Leeds
    I keep telling you I live in Leeds | home.city | Leeds
    Again: I live in Leeds | home.city | Leeds
    Once more: I live in Leeds | home.city | Leeds
    Once again, I work at Sonae | work.employer | Sonae
    I repeat: my name is Ana | name | Ana
    As mentioned, my name is Ana | name | Ana
    As I told you, I am allergic to peanuts | health.allergy.peanuts | I am allergic to peanuts
    Like I mentioned earlier, my shoe size is 43 | shoe-size | 43
    I still live in Leeds | home.city | Leeds
    I'm still living in Leeds | home.city | Leeds
    My name is still Ana | name | Ana
    The user still lives in Leeds | home.city | Leeds
"""

ERASED = """
    forget that
    Forget what I just said
    Forget I said that
    Forget I ever said that.
    Forget the last thing I said
    forget what I told you yesterday
    Please erase that
    Delete that memory
    Strike that from your memory
    Forget all of this
    Erase everything you know about me
    Delete everything you have stored about me
    Forget my old address
    Forget my phone number | contact.phone
    forget about my phone number | contact.phone
    Forget all about my shoe size | shoe-size
    Forget my name, please | name
    Forget what I said about my phone number | contact.phone
    Forget everything about my phone number | contact.phone
    Forget what you know about my dentist | dentist
    Forget the thing about my dentist | dentist
    Delete what you have on my address | home.address
    Delete my phone number from your memory | contact.phone
    Remove my dentist from memory | dentist
    Wipe my phone number from your memory | contact.phone
    Please remove the memory about my shoe size | shoe-size
    Remove my kitchen equipment from the file | kitchen.equipment
    Can you delete my phone number? | contact.phone
    Could you forget my phone number | contact.phone
    Would you mind forgetting my address? | home.address
    I want you to forget my address | home.address
    I'd like you to forget my phone number | contact.phone
    I no longer want you to know my address | home.address
    Please don't remember my phone number | contact.phone
    Don't keep my phone number | contact.phone
    Don't store my address | home.address
    Stop remembering my shoe size | shoe-size
    You can forget my shoe size | shoe-size
    Forget that I'm allergic to peanuts | health.allergy.peanuts
    forget that I live in Leeds | home.city
    Forget my peanut allergy | health.allergy.peanuts
    User wants you to forget their phone number | contact.phone
    The user asked to delete their phone number | contact.phone
    I changed my mind. Forget my phone number. | contact.phone
"""

FIRST = [
    *read(ASSERTED, Intent.ASSERT),
    *read(CORRECTED, Intent.CORRECT),
    *read(REVERTED, Intent.REVERT),
    *read(REPEATED, Intent.ECHO),
    *read(ERASED, Intent.ERASE),
    *read(NOTHING, None),
]
