"""Which words say that a text may be about one of the special categories (GDPR Art. 9 and 10). English only.

It decides nothing: what it finds is looked at by itself and not approved among many. So it rather takes a text too
many, and leaves out words that ordinary sentences are full of (*party*, *union*, *church*, *race*) unless they stand in
a phrase that tells. What says it in no such word, or in another language, is not found.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from apps.policy.looks import plainly
from apps.policy.vocabulary import Category


def _listed(text: str, between: str | None = None) -> frozenset[str]:
    return frozenset(" ".join(each.split()) for each in text.split(between))


# Whole words, without their plural -s.
_WORDS: dict[Category, frozenset[str]] = {
    Category.HEALTH: _listed(
        """
        health hospital clinic clinical cancer tumor tumour insulin migraine anxiety depressed depression bipolar
        adhd dementia pacemaker hiv covid pneumonia penicillin ibuprofen paracetamol metformin statin warfarin
        pregnant pregnancy miscarriage abortion ivf menopause celiac coeliac crohn colitis ibs thyroid eczema
        glaucoma deaf disability wheelchair dialysis surgery surgeon surgical symptom diagnosis diagnosed
        prescription prescribed medicine pill inhaler epipen therapy therapist physio midwife rehab alcoholism
        overdose suicide suicidal bulimia obese obesity bmi illness disease disorder syndrome infection injury
        injured fracture concussion psychologist dentist cholesterol
        ptsd ocd copd ckd hpv hsv mri biopsy lupus endometriosis pcos angina arrhythmia tinnitus vertigo
        gout ulcer seizure angioplasty mastectomy hysterectomy vasectomy cataract hernia sciatica scoliosis
        sepsis malaria measles herpes chlamydia gonorrhoea gonorrhea syphilis anaemic anemic autoimmune
        chemo palliative hospice inpatient outpatient ecg eeg cgm cpap stoma catheter
        ozempic wegovy mounjaro prozac zoloft lexapro xanax valium ritalin adderall concerta vyvanse
        seroquel zyprexa abilify risperdal humira lipitor cialis truvada descovy ventolin symbicort
        aspirin acetaminophen tylenol naproxen diclofenac codeine morphine tramadol oxycodone oxycontin fentanyl
        methadone buprenorphine naltrexone antabuse gabapentin pregabalin lyrica levothyroxine prednisone
        prednisolone methotrexate amlodipine ramipril lisinopril losartan bisoprolol metoprolol propranolol
        furosemide apixaban rivaroxaban clopidogrel heparin amoxicillin doxycycline ciprofloxacin aciclovir
        acyclovir tamoxifen letrozole finasteride testosterone oestrogen estrogen progesterone melatonin zopiclone
        zolpidem ambien clozapine lamotrigine valproate carbamazepine levetiracetam methylphenidate lisdexamfetamine
        semaglutide tirzepatide liraglutide salbutamol albuterol montelukast omeprazole levodopa donepezil
        venlafaxine duloxetine mirtazapine bupropion amitriptyline trazodone buspirone quetiapine olanzapine
        risperidone aripiprazole haloperidol fluoxetine sertraline citalopram escitalopram paroxetine
        """
    ),
    Category.BELIEF: _listed(
        """
        religion religious belief mosque synagogue gurdwara catholic protestant orthodox evangelical lutheran
        methodist anglican presbyterian mormon pentecostal jehovah jew jewish judaism muslim islam islamic sunni
        shia quran koran bible torah hindu hinduism sikh sikhism buddhist buddhism atheist atheism agnostic pagan
        wiccan freemason ramadan shabbat sabbath kosher halal pray prayer praying worship priest rabbi imam
        """
    ),
    Category.SEX_LIFE: _listed(
        """
        sex sexual sexuality gay lesbian bisexual homosexual heterosexual queer transgender nonbinary asexual
        pansexual lgbt lgbtq fetish kink porn condom viagra libido erectile grindr
        """
    ),
    Category.ETHNIC_ORIGIN: _listed(
        """
        ethnic ethnicity racial biracial latino latina latinx hispanic romani gypsy sinti kurd kurdish aboriginal
        indigenous inuit maori ashkenazi sephardi arab caucasian ancestry refugee
        """
    ),
    Category.POLITICAL_OPINION: _listed(
        """
        political politics socialist communist libertarian anarchist marxist fascist nationalist tory tories
        democrat republican brexiteer activist voter
        """
    ),
    Category.TRADE_UNION: _listed(
        """
        unionised unionized unionist teamsters
        """
    ),
    Category.GENETIC: _listed(
        """
        dna genome genomic hereditary 23andme ancestrydna
        """
    ),
    Category.BIOMETRIC: _listed(
        """
        fingerprint faceprint voiceprint
        """
    ),
    Category.CRIMINAL_RECORD: _listed(
        """
        convicted conviction felon felony misdemeanor misdemeanour parole prison jail arrest arrested indicted
        offender dui dwi shoplifting
        """
    ),
}
# How words begin.
_STEMS: dict[Category, frozenset[str]] = {
    Category.HEALTH: _listed(
        """
        allerg anaphyla asthma diabet epilep hypertens chemother radiother oncolog leukaem leukem lymphom melanom
        carcinom metasta arthrit osteopor fibromyal psychiatr psychother schizo autis dyslex alzheim parkinson
        scleros cardiac cardiol hepatit tubercul vaccin immunis immuniz antibiot antidepr contracep infertil
        menstru gynaecol gynecol urolog dermatol neurolog anaemi anemi psoria prosthe transplan anaesthe anesthe
        hospitalis hospitaliz prognos medicat physiother addict anorexi haemophil hemophil
        diazepam lorazepam clonazepam temazepam alprazolam benzodiaz corticost steroid psychosis psychotic
        paranoi bronchit nephrit nephrolog cirrhos pancreat arrhythm thrombos embolis aneurysm neuropath
        colostom cardiomy hypothyr hyperthyr hypoglyc hyperglyc lymphoed meningit encephal endocrin gastroent immunosupp
        """
    ),
    Category.BELIEF: _listed(
        """
        baptis baptiz christianit scientolog
        """
    ),
    Category.SEX_LIFE: _listed(
        """
        polyamor prostitut
        """
    ),
    Category.GENETIC: _listed(
        """
        genetic chromosom brca
        """
    ),
    Category.BIOMETRIC: _listed(
        """
        biometr
        """
    ),
    Category.CRIMINAL_RECORD: _listed(
        """
        criminal imprison incarcerat
        """
    ),
}
# Words that tell together.
_PHRASES: dict[Category, frozenset[str]] = {
    Category.HEALTH: _listed(
        """
        blood pressure | blood sugar | blood type | blood group | blood test | heart attack | heart failure |
        heart disease | had a stroke | heart condition | chronic pain | back pain | sick leave | panic attack |
        self harm | hearing aid | is blind | am blind | am disabled | my doctor | doctor appointment | doctor said
        | epi pen | takes lithium | take lithium | taking lithium | on lithium |
        lithium carbonate | motor neurone | kidney disease | liver disease |
        kidney stones | heart rhythm | birth control | hot flushes | eating disorder | post traumatic |
        brain injury | knee replacement | hip replacement | iron deficiency | in remission |
        mg daily | mg a day | mg twice | learning difficulties
        | gp appointment | an alcoholic | sober since | side effects | family doctor
        """,
        "|",
    ),
    Category.BELIEF: _listed(
        """
        my faith | goes to church | go to church | went to church | going to church | our church | my church |
        is christian | a christian | am christian | christian faith | yom kippur | seventh day adventist
        """,
        "|",
    ),
    Category.SEX_LIFE: _listed(
        """
        came out as | come out as | coming out to | open relationship | slept with | sleeps with | one night stand
        | having an affair | had an affair | non binary | trans woman | trans man
        """,
        "|",
    ),
    Category.ETHNIC_ORIGIN: _listed(
        """
        mixed race | african american | afro caribbean | black british | british asian | asian american |
        of colour | people of color | person of color | woman of color | man of color | native american |
        first nations | skin colour | skin color | asylum seeker | traveller community
        """,
        "|",
    ),
    Category.POLITICAL_OPINION: _listed(
        """
        votes for | voted for | voting for | vote for | votes labour | voted labour | votes green | voted green |
        voted leave | voted remain | votes conservative | voted conservative | green party | labour party |
        labor party | conservative party | democratic party | republican party | party member | social democrat |
        left wing | right wing | far right | far left
        """,
        "|",
    ),
    Category.TRADE_UNION: _listed(
        """
        trade union | trade unions | labour union | labor union | union member | union members | union membership
        | union rep | union dues | shop steward | works council | joined the union | in the union | my union |
        her union | his union | their union | on strike | picket line
        """,
        "|",
    ),
    Category.GENETIC: _listed(
        """
        gene mutation | gene test | gene for | sickle cell | cystic fibrosis | huntington disease |
        huntington chorea | a carrier of
        """,
        "|",
    ),
    Category.BIOMETRIC: _listed(
        """
        face id | touch id | iris scan | retina scan | palm print | facial recognition | face recognition
        """,
        "|",
    ),
    Category.CRIMINAL_RECORD: _listed(
        """
        police record | police caution | found guilty | pleaded guilty | pled guilty | sentenced to |
        hours of community service | probation officer | drink driving | drunk driving | restraining order |
        on bail
        """,
        "|",
    ),
}
_DESCENT = re.compile(r" of [a-z]+(?: [a-z]+)? (?:descent|origin|ancestry) ")
_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class _Telling:
    """What tells, put so that most texts are done with at a glance: stems by their length, phrases by their first
    word.
    """

    words: frozenset[str]
    stems: Mapping[int, frozenset[str]]
    phrases: Mapping[str, frozenset[str]]

    def suggests(self, words: Collection[str]) -> bool:
        """Does any of it stand in these words of a text?"""
        told = {*words, *(word.removesuffix("s") for word in words)}
        if not self.words.isdisjoint(told):
            return True
        if any(not stems.isdisjoint({word[:size] for word in told}) for size, stems in self.stems.items()):
            return True
        said = _said(words)
        return any(f" {each} " in said for first in self.phrases.keys() & told for each in self.phrases[first])


def _telling(*of: Category) -> _Telling:
    def all_in(listed: Mapping[Category, frozenset[str]]) -> frozenset[str]:
        return frozenset[str]().union(*(listed.get(each, ()) for each in of))

    stems, phrases = all_in(_STEMS), all_in(_PHRASES)
    return _Telling(
        all_in(_WORDS),
        {size: frozenset(each for each in stems if len(each) == size) for size in {*map(len, stems)}},
        {
            first: frozenset(each for each in phrases if each.split()[0] == first)
            for first in {each.split()[0] for each in phrases}
        },
    )


_OF = {each: _telling(each) for each in Category}
_OF_ANY = _telling(*Category)


def suggests_special(*texts: str) -> bool:
    """Does any of these (a subject, a label, what is said) hold a word of a special category, as the eye reads it?"""
    return any(_OF_ANY.suggests(words) or _DESCENT.search(_said(words)) is not None for words in map(_words, texts))


def suggests(category: Category, text: str) -> bool:
    """Does it hold a word of this category, as the eye reads it?"""
    return _OF[category].suggests(_words(text))


def _said(words: Iterable[str]) -> str:
    """The words as phrases are looked for in them."""
    return f" {' '.join(words)} "


def _words(text: str) -> list[str]:
    """The words in small letters without accents; an apostrophe's s is none."""
    read = unicodedata.normalize("NFKD", plainly(text)[0]).lower().replace("’", "'")
    folded = "".join(c for c in read if not unicodedata.combining(c)) if not read.isascii() else read
    return _WORD.findall(folded.replace("'s ", " ").removesuffix("'s"))
