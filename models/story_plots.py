# SPDX-License-Identifier: Apache-2.0
"""The plots: each tells one story on a Tale (stories.py) from its beginning to its moral.

State is let() once and named in every later sentence, so what is lost is what is found. A plot is a
function without branches that could contradict each other: where a choice changes what comes later
(who found it, who was wrong), the choice is one of the values of the state.
"""

import story_words as words


def _people(t):
    a, b = t.pair()
    t.let(a=a, b=b, g=t.elder(), p=t.place(), glad=t.pick(words.GLAD), glad2=t.pick(words.GLAD),
          sad=t.pick(words.SAD), game=t.pick(words.GAMES))


def _end_as_friends(t):
    t.say("From that day on, {a} and {b} were the best of friends.",
          "After that, {a} and {b} played together every day.",
          "{a} and {b} walked home side by side, and both were {glad}.",
          "That night {a} fell asleep with a smile.",
          "And so the day ended well for {a} and {b}.",
          "They laughed together until the sun went down.")


def lost_thing(t):
    _people(t)
    x, spots = t.toy(), t.state["p"].spots
    order = t.dice.sample(spots, 2)
    t.let(x=x, wrong=order[0], spot=order[1], giver=t.elder())
    t.open()
    t.say("{a} had {x.a} that {giver} had given {a.him}.",
          "{a.His} best treasure was {x.a}, a gift from {giver}.",
          "{a} owned {x.a} and took it everywhere.")
    t.paragraph()
    t.day()
    t.say("When it was time to go home, the {x.n} was gone.", "Suddenly {a} saw that the {x.n} was not there.",
          "{a} looked for the {x.n}, but {a.he} could not find it.")
    t.say("{a} felt very {sad}.", "{a} began to cry.", "\"Oh no, where is my {x.n}?\" said {a}.",
          "\"I have lost my {x.n},\" said {a} in a small voice.")
    t.paragraph()
    t.say("{b.intro} heard {a.him} and came to help.",
          "Then {b.intro} came along. \"I will help you,\" said {b}.",
          "{b.intro} came by and asked, \"Why do you look so {sad}?\" {a} told {b.him} about the {x.n}.")
    t.say("First they looked {wrong}, but they found only some dry leaves.",
          "They looked {wrong}, but it was not there.", "\"Let us look {wrong},\" said {b}. There was nothing there.")
    t.say("Then {b} looked {spot}, and there was the {x}!", "Next they looked {spot}. \"Here it is!\" cried {b}.",
          "At last {a} saw something {spot}. It was the {x.n}!")
    t.say("{a} hugged {b} and said, \"Thank you!\"", "\"Thank you for your help,\" said {a}. {a.He} was so {glad}.",
          "{a} jumped with joy and thanked {b}.")
    t.say("{a} learned that a friend makes every search shorter.", "\"Two pairs of eyes are better than one,\" said {b}.",
          "From then on, {a} kept the {x.n} in a safe place.", "{a} let {b} play with the {x.n} all the way home.")
    _end_as_friends(t)


def sharing(t):
    _people(t)
    t.let(food=t.pick(words.FOODS), n=t.pick(["six", "eight", "ten", "four", "twelve"]))
    t.open()
    t.say("One morning {g} gave {a.him} a basket of {n} {food}.", "{g} filled a basket with {n} {food} for {a.him}.",
          "{g} went to the market and came back with {n} {food} for {a.him}.")
    t.paragraph()
    t.say("{a} took the basket and sat down {p.at}.", "{a} carried the basket to a quiet spot {p.at}.")
    t.maybe("The {food} smelled sweet.", "The {food} looked very good.")
    t.say("Soon {b.intro} came by. {b} was hungry and had nothing to eat.",
          "There {a.he} met {b.intro}. \"I have not eaten all day,\" said {b}.",
          "{b.intro} sat down near {a.him} and looked at the {food} with big eyes.")
    t.say("\"These {food} are all mine,\" said {a}, and {a.he} held the basket tight.",
          "{a} did not want to share. \"There are only {n} of them,\" {a.he} said.",
          "{a} turned away and ate one all alone. But it did not taste good.")
    t.say("{b} looked down and walked away.", "{b} did not say a word, but {b.he} looked {sad}.",
          "A tear ran down {b.his} cheek.")
    t.paragraph()
    t.say("{a} saw this and felt {sad} too.", "{a} thought about it for a while. How would it feel to be so hungry?",
          "Then {a} remembered the words of {g}: \"Food tastes best with a friend.\"")
    t.say("\"Wait, {b}!\" {a.he} called. \"You can have half of my {food}.\"",
          "{a} ran after {b} and said, \"I am sorry. Please eat with me.\"",
          "\"Come back,\" said {a}. \"There is enough for two.\"")
    t.say("They sat down together and ate the {food} until the basket was empty.",
          "Side by side they ate, and the {food} tasted better than before.",
          "{b} smiled, and they ate and told each other jokes.")
    t.say("{a} learned that sharing makes a small meal big.", "{a} was {glad}, for a shared basket is never empty.",
            "{g} was proud to hear about it.", "Now {a} always brings enough for two.")
    _end_as_friends(t)


def brave(t):
    _people(t)
    fear, when, advice, seemed, was = t.pick(words.FEARS)
    t.let(fear=fear, when=when, advice=advice, seemed=seemed, was=was)
    t.open()
    t.say("But {a} was afraid of {fear}.", "There was one problem: {a} was afraid of {fear}.",
          "{a} could do many things, but {a.he} feared {fear}.")
    t.say("{a.He} hid under the blanket {when}.", "{a.His} knees shook {when}.", "{a.He} closed {a.his} eyes {when}.")
    t.paragraph()
    t.say("One day {a} told {g} about it. \"I wish I were brave,\" {a.he} said.",
          "\"Why am I so afraid?\" {a} asked {g} one evening.", "{g} saw it and sat down beside {a.him}.")
    t.say("{g} smiled and said, \"Remember, {advice}.\"", "\"Listen,\" said {g}, \"{advice}.\"",
          "{g} took {a.his} hand. \"When you are afraid, think of this: {advice}.\"")
    t.paragraph()
    t.say("The next day {a.his} friend {b} was in trouble. {b.He} was alone and saw {seemed}!",
          "Soon after, {a} heard a cry. It was {b}, {a.his} friend. \"Help! I see {seemed}!\" cried {b}.",
          "Not long after that, {b}, the friend of {a}, called for help. {b.He} had seen {seemed}.")
    t.say("{a} was afraid, but {a.he} thought of the words of {g} and went to {b}.",
          "{a.His} heart beat fast. Still {a.he} took a deep breath and walked on, step by step.",
          "\"I am coming,\" called {a}, and {a.he} did not run away.")
    t.say("And what was it? It was only {was}!", "{a} looked closely and laughed. It was just {was}.",
          "There was nothing to fear at all. It was {was}.")
    t.say("{b} laughed too. \"You are so brave,\" {b.he} said.", "\"You came for me!\" said {b}. \"You are a true friend.\"",
          "{b} held {a.his} hand and was {glad}.")
    t.say("{a} learned that being brave means going on while you are afraid.",
            "After that, {fear} did not seem so bad to {a} anymore.",
            "{g} was proud of {a} and baked a cake for both of them.",
            "That night {a} slept well and was afraid of nothing.")


def kind_help(t):
    _people(t)
    hurt, cure = t.pick(words.HURTS)
    kind = t.pick([k for k in words.SMALL_ANIMALS if k != t.state["a"].kind and k != t.state["b"].kind])
    t.let(hurt=hurt, cure=cure, kind=kind, color=t.pick("white grey brown black golden spotted".split()),
          spot=t.pick(t.state["p"].spots))
    t.open()
    t.paragraph()
    t.day()
    t.say("{spot}, {a.he} found a {color} {kind}. It {hurt}.", "Then {a} heard a weak cry. {spot} sat a {color} {kind}. It {hurt}.",
          "{a} stopped. There was a {color} {kind} {spot}. The poor thing {hurt}.")
    t.say("\"Do not be afraid, little {kind},\" said {a}.", "\"You poor {kind},\" said {a}. \"I will help you.\"",
          "{a} wanted to help, but {a.he} could not do it alone.")
    t.say("{a} called {a.his} friend {b}.", "{a} ran to get {b}, who always knew what to do.")
    t.say("Together they {cure}.", "{b} came at once, and together they {cure}.", "They were very gentle and {cure}.")
    t.maybe("{g} brought some warm milk.", "The {kind} looked at them with thankful eyes.")
    t.paragraph()
    t.say("After a few days the {kind} was well again.", "Soon the {kind} felt much better.",
          "By the next morning the {kind} was lively again.")
    t.say("A week later {a} lost the way in a thick fog, and it was the {kind} that showed {a.him} the path home.",
          "One night a fire began in the kitchen, but the {kind} woke everybody, and nobody was hurt.",
          "From then on the {kind} came to visit every day and brought a flower or a shiny stone.",
          "When {a} dropped a key into a deep crack, the {kind} brought it out again.")
    t.say("{a} learned that kindness always comes back.", "\"One good turn brings another,\" said {g}.",
            "\"You helped me, and I help you,\" the {kind} seemed to say.", "{a} was {glad}, for now there was one friend more.")
    _end_as_friends(t)


def honest(t):
    _people(t)
    t.let(v=t.thing(words.COLORS, words.BREAKABLE), excuse=t.pick(["the wind", "the cat", "a bird"]))
    t.open()
    t.say("In the house of {g} there was {v.a}. {g} loved it very much.",
          "{g} had {v.a} that was very old and very dear to {g.him}.")
    t.paragraph()
    t.say("One day {a} and {b} played {game} in the house of {g}.", "On a rainy day, {a} was playing {game} with {b} inside the house.")
    t.say("{a} ran too fast and bumped into the table. Crash! The {v.n} fell down and broke.",
          "{a} jumped, and {a.his} arm hit the {v.n}. It fell and broke into three pieces.")
    t.say("{a} hid the pieces under a rug. \"I will say that it was {excuse},\" {a.he} said.",
          "\"Nobody saw it,\" whispered {a}. \"We can say it was {excuse}.\"")
    t.say("But {b} shook {b.his} head. \"The truth is better,\" {b.he} said.",
          "\"That would be a lie,\" said {b}. \"And {g} trusts you.\"")
    t.paragraph()
    t.say("That night {a} could not sleep. {a.His} stomach felt heavy like a stone.",
          "All day long {a} felt {sad}. Even playing was no fun.")
    t.say("At last {a} went to {g} and said, \"It was not {excuse}. I broke the {v.n}, and I am sorry.\"",
          "In the morning {a} told {g} everything. \"I broke your {v.n}. I am so sorry.\"")
    t.say("{g} was quiet for a moment. Then {g.he} said, \"Thank you for telling the truth.\"",
          "{g} gave {a.him} a hug. \"A {v.n} can be mended,\" {g.he} said. \"Trust is harder to mend.\"")
    t.say("{a}, {b}, and {g} sat down with a pot of glue and put the pieces together.",
          "Together they glued the {v.n}. It had a few lines now, but it was still beautiful.")
    t.say("{a} learned that the truth makes the heart light.", "After that, {a} always told the truth, even when it was hard.",
            "{a} felt as light as a feather.", "And {a} never ran in the house again.")


def gift(t):
    _people(t)
    what, first, second, part = t.pick(words.BUILDS)
    w1, w2 = t.worker(), t.worker()
    while w2.kind == w1.kind:
        w2 = t.worker()
    t.let(what=what, first=first, second=second, part=part, w1=w1, w2=w2,
          awhat=t.with_article(what))
    t.open()
    t.paragraph()
    t.say("The birthday of {b}, the best friend of {a}, was near. {a} wanted to make {awhat} for {b.him}.",
          "{a} had a friend, {b.intro}. For {b.his} birthday, {a} wanted to make {awhat}.")
    t.say("But {a} had no {first} and no {second}.", "\"I need {first} and {second},\" said {a}, \"but I have none.\"")
    t.say("{w1.The} needed help, so {a} swept the floor and got some {first} for it.",
          "{a} went to {w1} and worked there for a day. {w1.The} gave {a.him} some {first}.")
    t.say("Then {a} carried a heavy bag for {w2} and got {second} for it.",
          "Then {a} went to {w2}. {w2.The} said, \"Sing me a song, and you can have some {second}.\" So {a} sang.")
    t.paragraph()
    t.say("{a} worked all night. But in the morning the {part} came off!",
          "{a} worked hard. When it was almost done, the {part} broke.")
    t.say("{a} felt {sad}. \"It is ruined,\" {a.he} said.", "\"Oh no!\" said {a}. \"What can I do now?\"")
    t.say("{g} looked at it and said, \"Try again. It does not have to be perfect.\"",
          "\"Take your time,\" said {g}. \"I will hold it while you fix it.\"")
    t.say("So {a} fixed the {part}, and this time it held.", "{a} tried again, slowly and with care, and it worked.")
    t.paragraph()
    t.say("On the birthday, {a} gave {b} the {what}.", "When the day came, {b} opened the box and saw the {what}.")
    t.say("\"You made this for me?\" said {b}. \"It is the best gift of all!\"",
          "{b} was so {glad} that {b.he} danced around the room.")
    t.say("{a} learned that a gift made by hand comes from the heart.",
            "And {a} was even more {glad2} than {b}.", "\"It was hard work,\" said {a}, \"but it was worth it.\"")


def practice(t):
    _people(t)
    skill, doing, failed, advice = t.pick(words.SKILLS)
    t.let(skill=skill, doing=doing, failed=failed, advice=advice, days=t.pick(["three days", "a week", "ten days", "a month"]))
    t.open()
    t.say("More than anything, {a} wanted to learn to {skill}.", "{a} had one big wish: {a.he} wanted to {skill}.")
    t.paragraph()
    t.say("Nearby lived {b.intro}, who could {skill} very well.",
          "{a.His} friend {b} could already {skill}, and it looked so easy.")
    t.say("{a} tried it {p.at}, but {a.he} {failed}.", "So {a} went out and tried. {a.He} {failed}.")
    t.say("{a.He} tried again, and again {a.he} {failed}.", "The second time was no better.",
          "{a} tried three more times, but it did not work.")
    t.say("\"I will never learn it,\" said {a}.", "{a} sat down and felt {sad}.", "\"I give up,\" said {a}, and {a.he} kicked a stone.")
    t.paragraph()
    t.say("{b} sat down next to {a.him}. \"I could not do it at first,\" {b.he} said. \"You must {advice}.\"",
          "\"Do not give up,\" said {b}. \"Here is a secret: {advice}.\"",
          "{g} had seen everything. \"Every master was a beginner once,\" said {g}. \"You only have to {advice}.\"")
    t.say("{a} practiced every day for {days}.", "For {days} {a} practiced in the morning and in the evening.",
          "{a} listened and practiced for {days}, a little more each day.")
    t.say("Then, one morning, it worked!", "And then, all at once, {a} could {skill}!")
    t.say("\"Look at me!\" called {a}. {b} clapped and cheered.", "{b} cheered, and {g} clapped.")
    t.say("{a} learned that nobody is good at the first try.", "{a} was {glad}, because {a.he} had not given up.",
            "Now {a} helps others who want to {skill}.", "\"Practice is the best teacher,\" said {a}.")
    t.maybe("On the way home, {a} was too {glad2} to stop {doing}.")


def storm(t):
    _people(t)
    t.let(trouble=t.pick(["a big storm", "a snow storm", "heavy rain", "a cold wind"]), food=t.pick(words.ONE_FOOD),
          c=t.animal(), damage=t.pick(["has lost its roof", "is full of water", "is under a fallen tree", "has a broken door"]))
    t.open()
    t.paragraph()
    t.say("One evening {trouble} came over the land. {a} closed the windows and lit a fire.",
          "One night there was {trouble}. {a} was warm and safe inside.")
    t.say("Then there was a knock at the door. Outside stood {b.intro}.",
          "Knock, knock! At the door stood {b.intro}, wet and cold.")
    t.say("\"My home {damage},\" said {b}. \"May I come in?\"", "\"Please let me in,\" said {b}. \"My house {damage}.\"")
    t.say("\"Of course,\" said {a}. \"Come and sit by the fire.\"", "{a} opened the door wide. \"Come in, come in!\" {a.he} said.")
    t.paragraph()
    t.say("Soon there was another knock. It was {c.intro}, who was cold too.",
          "A little later, {c.intro} came and asked for shelter.")
    t.say("There was only one bed and one {food}.", "{a} had only one {food} and one blanket.")
    t.say("\"It will be enough,\" said {a}, and {a.he} made three parts of it.",
          "{b} looked at it. \"That is not much,\" {b.he} said. But {a} laughed and shared everything.")
    t.say("They told stories, and {c} sang a song, and the night did not seem long.",
          "All night they sat close together and kept each other warm.")
    t.paragraph()
    t.say("In the morning the sun came out.", "When the sun rose, everything was calm.")
    t.say("{a} and {c} went with {b} and helped {b.him} to build a new home.",
          "All three worked together, and by the evening {b} had a new home.")
    t.say("\"Where there is room in the heart, there is room in the house,\" said {b}.",
            "{a} learned that a full house is a warm house.", "After that night, the three of them were friends for life.")


def newcomer(t):
    _people(t)
    t.let(odd=t.pick(["spoke in a strange way", "wore a funny hat", "was taller than all the others", "never said a word",
                      "had a patch on one eye", "always carried a big bag", "walked with a stick"]),
          gift=t.pick(["could tell wonderful stories", "could draw anything", "knew the names of all the stars",
                       "could play the flute", "knew the best games", "could fix any toy"]))
    t.open()
    t.say("{a} had many friends {p.at}.", "Every day {a} played {game} with the others {p.at}.")
    t.paragraph()
    t.say("One day {b.intro} came to live there. {b.He} {odd}.", "Then somebody new arrived: {b.intro}. {b.He} {odd}.")
    t.say("The others laughed at {b.him} and did not let {b.him} play.", "\"{b.He} is not like us,\" said the others, and they ran away.")
    t.say("{b} sat alone under a tree and looked {sad}.", "So {b} stayed alone, day after day.")
    t.paragraph()
    t.say("{a} did not like that. {a.He} remembered how it felt to be alone.", "{a} watched {b.him} and thought, \"I would not want to be alone.\"")
    t.say("{a} went over and said, \"Hello, I am {a}. Do you want to play?\"", "So {a} sat down beside {b.him} and said, \"You can play with me.\"")
    t.say("{b} looked up and smiled for the first time.", "{b} was surprised. \"With me?\" {b.he} asked. \"Yes, with you!\" said {a}.")
    t.say("Soon {a} found out that {b} {gift}.", "And what a surprise! {b} {gift}.")
    t.say("The others came closer, one by one, and wanted to join in.", "When the others saw that, they came and said that they were sorry.")
    t.say("{a} learned that different is not bad, it is only new.", "\"A stranger is a friend you do not know yet,\" said {g}.",
            "They all learned that you must not laugh at somebody you do not know.")
    _end_as_friends(t)


def wish(t):
    _people(t)
    t.let(m=t.pick(["fish", "star", "frog", "bottle", "bird", "shell"]), mcolor=t.pick(["golden", "silver", "blue", "shining"]),
          greed=t.pick(words.WISHES), spot=t.pick(t.state["p"].spots),
          need=t.pick([("was very ill", "be well again"), ("had lost his home", "have a home again"),
                       ("could not walk", "walk again"), ("was all alone", "never be alone again")]))
    need = t.state["need"]
    t.let(need=need[0].replace("his", t.state["b"].his), cure=need[1])
    t.open()
    t.paragraph()
    t.day()
    t.say("{spot} {a.he} found a {mcolor} {m}, and it could speak!", "Then {a.he} saw a {mcolor} {m} {spot}. \"Hello,\" it said.")
    t.say("\"Help me back to my home,\" said the {m}, \"and I will give you one wish.\" So {a} helped it.",
          "\"You may have one wish,\" said the {m}. \"Only one, so think well.\"")
    t.say("{a} thought about {greed}.", "First {a} wanted to wish for {greed}.", "\"I could have {greed}!\" thought {a}.")
    t.paragraph()
    t.say("But then {a.he} thought of {a.his} friend {b}, who {need}.", "Then {a} remembered {b}, {a.his} best friend. {b} {need}.")
    t.say("\"I know what I want,\" said {a}. \"I wish that {b} may {cure}.\"", "\"Please let {b} {cure},\" said {a}. \"That is my wish.\"")
    t.say("The {m} shone brightly. \"You have a good heart,\" it said, and then it was gone.",
          "\"That is a kind wish,\" said the {m}. There was a flash of light, and it was gone.")
    t.say("When {a} came home, {b} was there to meet {a.him}. The wish had come true!",
          "{a} hurried home. It was true! {b} was there and smiled at {a.him}.")
    t.say("{a} never had {greed}, but {a.he} was the most {glad} of all.", "{a} learned that the best wish is one for a friend.",
            "\"What did you wish for?\" asked {g}. {a} only smiled.", "A friend is worth more than {greed}.")


def seed_and_time(t):
    _people(t)
    seed, plant = t.pick(words.SEEDS)
    t.let(seed=seed, plant=plant, weather2=t.pick(["a dry wind", "too much rain", "a cold night", "hungry snails"]),
          rescue=t.pick(["put a little fence around it", "covered it with straw", "held a cloth over it", "sat beside it all night"]),
          aseed=t.with_article(seed))
    t.open()
    t.say("In spring {g} gave {a.him} {aseed} seed.", "One day {a} found {aseed} seed and showed it to {g}.")
    t.say("\"Plant it, and be patient,\" said {g}.", "\"Good things need time,\" said {g}.")
    t.paragraph()
    t.say("{a} put the seed into the earth and gave it water. Then {a.he} waited.", "{a} made a small hole, put the seed in, and watered it.")
    t.say("The next day nothing had happened. \"Grow!\" said {a}, but the seed did not grow.",
          "After one day {a} wanted to dig it up again. \"Wait,\" said {g}.", "\"Why is there nothing?\" asked {a}. \"Wait,\" said {g}.")
    t.say("A week went by, then another. Then a tiny green leaf came up!", "{a} watered it every morning. At last a green tip looked out of the ground.")
    t.say("But then {weather2} came, and the little plant was in danger.", "Then {weather2} almost killed the small plant.")
    t.say("{a} ran to {a.his} friend {b}. Together they {rescue}, and the plant lived.",
          "{a} asked {b.intro} for help. Together they {rescue}, and the plant lived.")
    t.paragraph()
    t.say("All summer it grew and grew.", "The plant grew taller than {a}.")
    t.say("In the end, {a} had the finest {plant} of all.", "By autumn it was the most beautiful {plant} that anyone had seen.")
    t.say("{a} shared what it gave with {b} and {g}.", "Everybody came to see it, and {a} was {glad}.")
    t.say("{a} learned that good things take time.", "\"You see,\" said {g}, \"patience is the best water.\"",
            "{a} kept a new seed for the next spring.", "\"Slow is not the same as never,\" said {a}.")


def boast(t):
    _people(t)
    t.let(big=t.pick(["a heavy log", "a big rock", "a full cart", "a giant pumpkin", "a large snowball", "an old boat"]),
          goal=t.pick(["to the top of the hill", "across the bridge", "to the barn", "to the village", "out of the mud"]))
    t.open()
    t.say("{a} was strong, and {a.he} liked to tell everyone about it.", "\"I do not need any help,\" {a} always said.")
    t.paragraph()
    t.say("One day there was {big} to be moved {goal}.", "{g} asked {a.him} to bring {big} {goal}.")
    t.say("{b.intro} asked, \"Shall I help you?\"", "\"Let me help,\" said {b.intro}.")
    t.say("\"You are too weak,\" laughed {a}. \"I can do it alone.\"", "\"No, I am the strongest of all,\" said {a}.")
    t.say("{a} pushed and pulled, but it did not move.", "{a} pushed until {a.his} face was red. It moved only a little bit.")
    t.say("Then {a.he} slipped and fell into a puddle. Everybody saw it.", "In the end {a.he} sat down, tired and {sad}.")
    t.paragraph()
    t.say("{b} did not laugh. {b.He} helped {a.him} up and said, \"Try it with me.\"",
          "\"May I help you now?\" asked {b} kindly.")
    t.say("{a} was quiet for a moment. \"Yes, please,\" {a.he} said.", "\"I am sorry that I laughed,\" said {a}. \"Please help me.\"")
    t.say("{b} put a round stick under it, {a} pushed, and it rolled {goal}.", "\"One, two, three!\" they called, and together they moved it {goal}.")
    t.say("\"You are clever, and I am strong,\" said {a}. \"We are a good team.\"", "\"We did it!\" they cried, and both were {glad}.")
    t.say("{a} learned that asking for help is not weak.", "After that, {a} did not boast anymore.", "\"Together we can do anything,\" said {b}.")


def strange_noise(t):
    _people(t)
    noise, what, then = t.pick(words.NOISES)
    t.let(noise=noise, Noise=noise.capitalize(), what=what, then=then,
          guess=t.pick(["a ghost", "a thief", "a dragon", "a witch", "a giant rat", "a troll"]))
    t.open()
    t.paragraph()
    t.say("One night {a} could not sleep. There was a strange noise. \"{Noise}!\"", "In the middle of the night {a} woke up. \"{Noise},\" it went.")
    t.say("\"What was that?\" whispered {a}. {a.He} pulled up the blanket.", "{a} sat up in bed, and {a.his} heart beat fast.")
    t.say("{b}, {a.his} friend, was staying for the night. \"Maybe it is {guess},\" {b.he} said.",
          "{a} woke {b}, who was {a.his} guest. \"I think it is {guess},\" said {b}.")
    t.say("\"There is no such thing as {guess} in this house,\" said {a}, but {a.his} voice was shaking.",
          "\"We will never know if we stay here,\" said {a}.")
    t.paragraph()
    t.say("They took a candle and went on tiptoe, hand in hand.", "They lit a lamp and walked slowly to the place where the noise came from.")
    t.say("\"{Noise},\" it went again, and it was louder now.", "The floor creaked under their feet. The noise came nearer and nearer.")
    t.say("{a} counted to three and looked. It was {what}!", "{b} held up the light, and they saw {what}.")
    t.say("They looked at each other and began to laugh.", "\"So that is our monster!\" said {b}, and they laughed.")
    t.say("{a} {then}, and they went back to bed.", "{b} yawned. {a} {then}, and then it was quiet.")
    t.say("{a} learned that many fears are small when you look at them.", "\"A light is better than a guess,\" said {g} at breakfast.",
            "Since that night, {a} looks first and is afraid later.", "They slept until the sun was high.")


def quarrel(t):
    _people(t)
    x = t.toy()
    t.let(x=x, spot=t.pick(t.state["p"].spots), plan=t.pick(["one day you, one day I", "you before lunch, and I after lunch",
                                                            "we use it together", "we build a second one"]))
    t.open()
    t.say("{a.His} best friend was {b.intro}.", "{a.He} did everything together with {b.intro}.")
    t.paragraph()
    t.say("One day they found {x.a} {p.at}. It lay {spot}.", "{p.at}, {spot}, they both saw {x.a} at the same time.")
    t.say("\"I saw it first!\" cried {a}. \"No, I did!\" cried {b}.", "\"It is mine,\" said {a}. \"No, it is mine,\" said {b}.")
    t.say("They pulled and pulled until the {x.n} almost broke.", "They shouted so loudly that the birds flew away.")
    t.say("Then {b} went home in one direction and {a} in the other.", "\"I will never play with you again,\" said {b}, and they both went home.")
    t.paragraph()
    t.say("{a} had the {x.n} now, but it was no fun alone.", "At home {a} put the {x.n} on the table. {a.He} felt {sad}.")
    t.say("\"What is it worth without a friend?\" asked {g}.", "\"The {x.n} is nice,\" said {g}, \"but can it laugh with you?\"")
    t.say("{a} took the {x.n} and ran to {b}. On the way they met, for {b} was coming too.", "So {a} went to {b} and knocked at the door.")
    t.say("\"I am sorry,\" said {a}. \"I am sorry too,\" said {b}.", "\"You can have it,\" said {a}. \"No, you can have it,\" said {b}. They had to laugh.")
    t.say("\"I have an idea,\" said {a}: \"{plan}.\" {b} liked that.", "They sat down and made a plan: {plan}.")
    t.say("They learned that a friend is worth more than a {x.n}.", "And they never fought about a thing again.", "So the {x.n} belonged to both of them.")
    _end_as_friends(t)


def late_and_lost(t):
    _people(t)
    t.let(shine=t.pick(["a butterfly", "a rainbow", "a little white cloud", "a dragonfly", "a trail of ants", "a balloon"]),
          sign=t.pick(["the smell of fresh bread", "the sound of the bell", "the light in the window", "the smoke of the chimney"]))
    t.open()
    t.say("\"Do not go too far,\" {g} told {a.him} every day.", "{g} always said, \"Come home before it is dark.\"")
    t.paragraph()
    t.day()
    t.say("{a.He} saw {shine} and ran after it, on and on.", "{a} followed {shine} and forgot everything else.")
    t.say("When {a.he} stopped, {a.he} did not know where {a.he} was.", "Then {a} looked around. Nothing looked the same. {a.He} was lost.")
    t.say("It was getting dark. {a} felt {sad} and a little afraid.", "The shadows grew long. \"I should have listened,\" said {a}.")
    t.paragraph()
    t.say("Just then {b.intro} came down the path. \"Are you lost?\" {b.he} asked.", "\"Who is crying there?\" said a voice. It was {b.intro}.")
    t.say("{a} nodded. \"I cannot find my way home,\" {a.he} said.", "\"Yes,\" said {a}. \"I ran too far.\"")
    t.say("\"Be still for a moment,\" said {b}. \"What can you hear and smell?\"", "\"Do not worry,\" said {b}. \"We only have to use our eyes, our ears, and our noses.\"")
    t.say("{a} waited. Then {a.he} noticed {sign}. \"That way is my home!\" {a.he} cried.", "They stood still, and far away {a} noticed {sign}.")
    t.say("Together they walked on, and soon {a} saw {g} at the door.", "They followed it step by step until they were home. {g} was waiting.")
    t.say("{g} hugged {a.him} and gave {b} a bowl of warm soup.", "\"I was so worried,\" said {g}. \"Thank you, {b}.\"")
    t.say("{a} learned to listen to those who love {a.him}.", "After that, {a} always looked back to remember the way.", "{a} never ran so far again without a friend.")


PLOTS = (lost_thing, sharing, brave, kind_help, honest, gift, practice, storm, newcomer, wish, seed_and_time, boast,
         strange_noise, quarrel, late_and_lost)
