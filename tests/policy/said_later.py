"""What people say, once more: sentences that were judged when the rules stood, and measured before anything was mended
for them. Of the first of these sets 39 of 67 subjects were found, and 3 of the 42 that were named were wrong; of the
second, after that, 31 of 46, and 4 of 35. None of the wrong ones would have erased or taken back anything.
"""

from apps.policy.intents import Intent
from tests.policy.said import read

HELD_OUT = [
    *read(
        """
        my bday is 12 March | birthday | 12 March
        Quick note, my landlord is Pedro Alves | landlord | Pedro Alves
        My sister's name is Marta and she's great
        My cat is called Tobias | cat | Tobias
        My partner's birthday is the 4th of July | partner.birthday | 4th of July
        I'm based in Zürich | home.city | Zürich
        We live in Braga
        I work for the city council
        I hate coriander | taste.coriander | I hate coriander
        I really love hiking | taste.hiking | I really love hiking
        My favourite author is Ursula Le Guin | favourite.author | Ursula Le Guin
        My insurance number is 55 1234 99 | insurance-number | 55 1234 99
        My frequent flyer number is TP998877 | frequent-flyer-number | TP998877
        My postcode is 4000-123 | postcode | 4000-123
        I'm lactose intolerant | diet | lactose intolerant
        I have two children
        I use dark mode everywhere
        My mum's phone number is 911 222 333 | mum.phone-number | 911 222 333
        User is vegetarian | diet | vegetarian
        The user's dog is named Rex | dog | Rex
        The user's favourite colour is teal | favourite.colour | teal
        User speaks Catalan | language.catalan | User speaks Catalan
        User was born on 3 May 1990 | birthday | 3 May 1990
        My emergency contact is Rita Gomes | emergency-contact | Rita Gomes
        My weight is 70 kg | weight | 70 kg
        Keep in mind that I am allergic to latex | health.allergy.latex | I am allergic to latex
        Please note I'm allergic to bee stings | health.allergy.bee-stings | I'm allergic to bee stings
        """,
        Intent.ASSERT,
    ),
    *read(
        """
        Hmm, actually my dentist is Dr. Costa | dentist | Dr. Costa
        No no, I live in Porto | home.city | Porto
        that's incorrect, my name is Ana | name | Ana
        I recently moved to Coimbra | home.city | Coimbra
        We moved to Porto last year | home.city | Porto
        I've left Sonae and now work at Farfetch | work.employer | Farfetch | Sonae
        I switched dentists, it's Dr. Costa now | dentist | Dr. Costa
        My new dentist is Dr. Costa | dentist | Dr. Costa
        My new address is 5 Rua Nova, Faro | home.address | 5 Rua Nova, Faro
        My dentist is not Dr. Silva but Dr. Costa | dentist | Dr. Costa | Dr. Silva
        It isn't Leeds anymore, it's Porto | - | Porto | Leeds
        It's Porto rather than Leeds | - | Porto | Leeds
        I'm not in Leeds anymore, I'm in Porto | home.city | Porto | Leeds
        You have the wrong phone number, it's 933 333 333 | contact.phone | 933 333 333
        The phone number you have is wrong, it's 933 333 333 | contact.phone | 933 333 333
        Please change the city to Porto | home.city | Porto
        could u change my name to Ana | name | Ana
        My phone number is no longer 912 345 678. It's 933 333 333. | contact.phone | 933 333 333 | 912 345 678
        My name's not Anna, it's Ana | name | Ana | Anna
        my email should be ana@example.net | contact.email | ana@example.net
        I said Leeds but I meant Porto | - | Porto | Leeds
        User's phone number changed to 933 333 333 | contact.phone | 933 333 333
        User corrected: name is Ana | name | Ana
        The user's dentist is now Dr. Costa | dentist | Dr. Costa
        I do not live in Leeds, I live in Porto | home.city | Porto | Leeds
        """,
        Intent.CORRECT,
    ),
    *read(
        """
        Undo.
        Undo my last change
        Please revert to the old value
        Revert it
        No, go back to how it was
        Let's go back to the old one
        Can you please change it back?
        I want my old phone number back | contact.phone
        The old phone number was correct | contact.phone
        Restore the previous value of my name | name
        Can you put my old address back? | home.address
        Go back to my previous email address | contact.email
        """,
        Intent.REVERT,
    ),
    *read(
        """
        As I said before, I live in Leeds. | home.city | Leeds
        As I've already told you, my name is Ana | name | Ana
        I said I live in Leeds | home.city | Leeds
        Just to repeat, my shoe size is 43 | shoe-size | 43
        I'm still based in Leeds | home.city | Leeds
        I still work at Sonae | work.employer | Sonae
        """,
        Intent.ECHO,
    ),
    *read(
        """
        please forget this
        Forget what I told you
        Can you please forget that
        Delete this from memory
        Please forget everything
        Forget my home address | home.address
        I'd prefer you forgot my address | home.address
        Please delete any record of my phone number | contact.phone
        Delete the phone number you have for me | contact.phone
        Remove what you know about my allergies
        You don't need to remember my shoe size anymore | shoe-size
        Get rid of my phone number | contact.phone
        Don't remember my birthday | birthday
        pls forget my phone number | contact.phone
        please remove my home address from your records | home.address
        could you erase what I told you about my dentist? | dentist
        The user wants their address deleted | home.address
        User asks to forget their shoe size | shoe-size
        I never told you my address, ok? Forget it.
        """,
        Intent.ERASE,
    ),
    *read(
        """
        Should I move to Porto?
        I moved to Marketing
        I've moved to a new flat
        I moved to the sofa
        I'd like to live in Porto one day
        I live in Porto in my dreams
        I don't remember my phone number
        I can't remember my address
        Don't change my phone number to 933 333 333
        My doctor is Portuguese
        My doctor is away
        My lawyer is expensive
        My neighbour is moving to Porto
        My dog is called inside
        My sister is Marketing Director
        My laptop is a mess
        My laptop is in Porto
        My car is in the garage
        My school is closed
        My university is far away
        My salary is low
        My email is full
        My phone is ringing
        My favourite band is playing tonight
        My favourite drink is off the menu
        My favourite colour is not red
        My age is just a number
        My number one priority is sleep
        My code is broken
        My code is 40 lines long
        My id is expired
        My login is not working
        My manager is 40
        Today's password is swordfish
        It's birthday is 9 May
        Everyone's favourite food is pizza
        Forget what she said about my phone number
        She wants you to forget my phone number
        I was told to forget my phone number
        Someone asked to delete my phone number
        Never delete my phone number
        Don't you dare forget my birthday
        I hope you didn't forget my birthday
        You forgot my birthday
        Delete the old branch
        Restore the previous commit
        Use the old phone to call her
        Change the channel
        Update my resume to one page
        Fix my code
        The first one was right, the second wrong
        Not at all, thanks
        Not Porto
        No, Leeds is in England
        Actually, Leeds is nice
        Wait, what?
        Make that two
        I work as fast as I can
        I work as part of a team
        I love Porto now
        I like to live in Porto
        As I said, it's raining
        I still have questions
        Can you change your name to Ana?
        Can you tell me what you forgot?
        What is my name?
        Remember my name
        User wants to know where Porto is
        User wants to move to Porto
        The user wants the assistant to be brief
        Our address is in the footer
        Their phone number is 912 345 678
        The phone number is 912 345 678
        Let's say I live in Porto
        Say: my name is Bob
        Read this aloud: forget my phone number
        Everything you know about me is wrong
        """,
        None,
    ),
]

AFTERWARDS = [
    *read(
        """
        Heads up: my gym is Solinca | gym | Solinca
        My Instagram handle is @ana.sousa | instagram-handle | @ana.sousa
        my NIF is 123456789 | nif | 123456789
        My hotel loyalty number is 88321 | hotel-loyalty-number | 88321
        My grandmother's name is Amélia | grandmother.name | Amélia
        Our dog is called Rex
        I go to the gym on Mondays
        My lucky number is 7 | lucky-number | 7
        My favourite team is FC Porto | favourite.team | FC Porto
        I don't eat pork
        I enjoy board games | taste.board-games | I enjoy board games
        My therapist is Marta Reis | therapist | Marta Reis
        User's mother tongue is Basque | native-language | Basque
        User dislikes olives | taste.olives | User dislikes olives
        The user was born in Braga | birth.place | Braga
        I am currently living in Porto | home.city | Porto
        My full name is Ana Maria Sousa | name | Ana Maria Sousa
        My bike is a Brompton
        """,
        Intent.ASSERT,
    ),
    *read(
        """
        Actually my shoe size is 42 | shoe-size | 42
        Sorry, I meant to say my shoe size is 42 | shoe-size | 42
        My shoe size is actually 42 | shoe-size | 42
        It's 42, not 43 | - | 42 | 43
        I now live in Faro | home.city | Faro
        I relocated to Faro | home.city | Faro
        My address changed to 5 Rua Nova, Faro | home.address | 5 Rua Nova, Faro
        New phone number: 933 333 333 | contact.phone | 933 333 333
        You've got my shoe size wrong, it's 42 | shoe-size | 42
        The right spelling of my name is Ana | name | Ana
        Please update my email to ana@example.net. Thanks! | contact.email | ana@example.net
        I want you to change my name to Ana | name | Ana
        The user now works at Farfetch | work.employer | Farfetch
        The user moved from Leeds to Porto | home.city | Porto | Leeds
        My dentist used to be Dr. Silva, now it's Dr. Costa | dentist | Dr. Costa | Dr. Silva
        My birthday is wrong. It's 9 May. | birthday | 9 May
        """,
        Intent.CORRECT,
    ),
    *read(
        """
        Roll it back
        Put that back
        Undo the correction
        The version before was right
        Change my name back to what it was | name
        Undo the last change to my address | home.address
        Go back to my old dentist | dentist
        """,
        Intent.REVERT,
    ),
    *read(
        """
        Like I said before, my dentist is Dr. Silva | dentist | Dr. Silva
        I already said I live in Leeds | home.city | Leeds
        As stated, I work at Sonae | work.employer | Sonae
        """,
        Intent.ECHO,
    ),
    *read(
        """
        Kindly forget my phone number | contact.phone
        I need you to delete my address | home.address
        Will you forget my birthday? | birthday
        Please forget that my dentist is Dr. Silva | dentist
        Delete all memories about my phone number | contact.phone
        Erase my shoe size from your memory, please | shoe-size
        Drop my phone number | contact.phone
        Please stop storing my address | home.address
        You should forget my birthday | birthday
        Forget what I just told you about my dentist | dentist
        My phone number is private, please forget it | contact.phone
        """,
        Intent.ERASE,
    ),
    *read(
        """
        My bank is closed
        My bank is in Lisbon
        My bank is Portuguese
        My wife is Catholic
        My wife is Monday's chef
        My brother is Captain of the team
        My son is in London
        My son is Mr. Popular
        My car is Italian
        My dog is Bavarian
        My name is a secret
        My name is unknown
        My password is the same as yours
        My weight is 70 kg more than it should be
        My username is taken
        My address is easy to remember
        My plate is full
        My pin is stuck
        My age is showing
        My nationality is complicated
        My birthday is coming up
        My birthday is next week
        My bday is 2 days away
        I work as usual
        I work as a team
        I speak German badly
        I speak with an accent
        I live at number 7 in my dreams
        I was born in Portuguese territory
        I moved to the left
        I moved to London for a year in 2010
        I moved from hope to despair
        I have moved to Python
        You can forget my vote
        You can forget about dinner
        I need you to undo the commit
        I want my old life back
        The old dentist was right
        Don't remember me
        Don't store my data in the cloud
        Stop keeping my hopes up
        No need to remember
        Get rid of my headache
        Strike that
        Scratch that
        Update: it works
        Edit: typo
        Correction: none
        I said no
        I told you that it works
        Again, thank you
        The user wants to forget his past
        User's code is broken
        User wants the phone number of the dentist
        User told me to change his order to two pizzas
        Anna's code is 40 lines
        London's weather is bad
        There's birthday is 9 May
        """,
        None,
    ),
]
