# SPDX-License-Identifier: Apache-2.0
"""The words of the stories: who and what there is in their world.

Every list is our own. A word stands here only if every plot of stories.py that draws from its list
stays good English and good sense with it: all toys can be lost in all places, all animals can be
friends of all children. One entry a line where an entry is a phrase or a tuple.
"""

GIRLS = """Lily Anna Mia Ella Rosa Nora Ruby Clara Ivy Maya Tessa Zoe Lucy Emma Hana Ada Molly Poppy
Daisy Amy Sara Nina Julia Olga Wren Pearl Greta Lena Kate Bella Dora Elsie Freya Gwen Iris Jade Lola
Mina Nell Paula Rita Sofia Tara Vera Willa Yara Alba Cora Edith Fern Hazel Kira""".split()
BOYS = """Tom Ben Max Sam Leo Tim Jack Noah Finn Oscar Hugo Theo Adam Felix Milo Luke Otto Peter Eli
Owen Paul Henry Ravi Omar Louis Jonas Karl Nico Anton Bruno Caleb David Emil Frank George Ivan Jamal
Kofi Liam Marco Ned Oliver Pablo Ralph Simon Toby Victor Will Yusuf Zack Alfie Dan""".split()
PETS = """Pip Dot Bramble Nibbles Tango Pebble Maple Button Acorn Clover Pudding Biscuit Whisper Ginger
Tuck Mossy Pippin Fig Thistle Sprout Rusty Snowy Sunny Cricket Bean Cocoa Dusty Fuzzy Honey Juniper
Kiwi Lucky Mango Nutmeg Olive Peanut Quill Rocket Sage Teddy Waffle Ziggy""".split()

ANIMALS = """fox rabbit mouse squirrel hedgehog bear badger otter beaver duck goose hen turtle frog
kitten puppy pony lamb goat piglet deer raccoon mole owl raven sparrow robin penguin koala panda monkey
elephant giraffe lion tiger wolf donkey calf hamster lizard swan""".split()
SMALL_ANIMALS = """bird mouse kitten puppy rabbit hedgehog squirrel duckling turtle frog lamb beetle
butterfly ladybug chick owl robin hamster bee fawn""".split()
LOOKS = """little small tiny young round brown grey white clever gentle quiet cheerful playful curious
kind shy brave lively friendly sleepy merry busy polite honest proud silly""".split()
CHILD_LOOKS = """little young clever gentle quiet cheerful playful curious kind shy brave lively
friendly merry polite honest hopeful thoughtful funny careful""".split()

ELDERS_F = ["Mama", "Grandma", "Aunt Rosie", "Aunt May", "Old Mrs. Bell", "Granny Moss"]
ELDERS_M = ["Papa", "Grandpa", "Uncle Joe", "Uncle Bert", "Old Mr. Green", "Grandpa Oak"]
WORKERS = """baker farmer gardener teacher painter tailor fisher carpenter miller shepherd postman
librarian singer sailor potter""".split()

# place, the preposition that goes with it, what to hear or see there, three spots to search
PLACES = [
    ("forest", "in", "tall trees whispered in the wind", "under a fern|behind an old log|inside a hollow tree"),
    ("garden", "in", "bees hummed around the flowers", "under the rose bush|behind the water barrel|between the cabbages"),
    ("meadow", "in", "yellow flowers nodded in the grass", "in the tall grass|beside a flat stone|behind the fence"),
    ("park", "in", "children played near the fountain", "under the bench|behind the swings|beside the fountain"),
    ("village", "in", "smoke rose from the little chimneys", "behind the well|under a cart|beside the old gate"),
    ("farm", "on", "hens scratched in the yard", "in the hay|behind the barn|under the wagon"),
    ("beach", "on", "small waves rolled over the sand", "beside a rock pool|under an old boat|behind a sand hill"),
    ("hill", "on", "the wind was fresh and clean", "behind a grey rock|under a bush|beside the path"),
    ("orchard", "in", "red apples shone on the branches", "under a basket|behind the ladder|at the foot of a pear tree"),
    ("valley", "in", "a stream ran over smooth stones", "under the bridge|beside the stream|behind a mossy rock"),
    ("market", "at", "people sold bread, fruit, and cloth", "under a table|behind a pile of boxes|beside the flower stand"),
    ("lake", "by", "blue dragonflies danced over the water", "in the reeds|under the dock|behind a willow tree"),
    ("river", "by", "the water sang over the rocks", "beside the reeds|under the old bridge|behind a fallen branch"),
    ("school", "at", "the bell rang every morning", "under a desk|behind the door|on top of the bookshelf"),
    ("castle", "in", "bright flags flew from the towers", "behind a curtain|under the stairs|inside a big chest"),
    ("barn", "in", "the air smelled of hay", "behind a sack|under the ladder|inside an old bucket"),
    ("harbor", "by", "boats rocked up and down", "under a net|behind a barrel|beside a coil of rope"),
    ("mountain", "on", "the snow on the top was bright", "behind a tall rock|under a pine tree|beside a cave"),
    ("mill", "at", "the big wheel turned in the water", "behind a sack of flour|under the wheel|beside the steps"),
    ("field", "in", "the corn moved like a green sea", "behind the scarecrow|under a leaf|beside the ditch"),
    ("library", "in", "rows of books reached up to the roof", "under a chair|behind the big books|beside the window"),
    ("jungle", "in", "bright birds called from the vines", "under a wide leaf|behind a vine|beside a muddy pool"),
    ("island", "on", "palm trees bent over the sand", "under a palm leaf|behind a shell|beside the cave"),
    ("town", "in", "lamps shone along the street", "under a bench|behind the bakery|beside the clock tower"),
]
HOMES = ["a little house with a blue door", "a cozy den under an oak tree", "a small cottage near the woods",
         "a house at the edge of town", "a tiny home beside a stream", "a yellow house on a hill",
         "a farmhouse by the road", "a warm burrow under a hill", "a tall house with many windows",
         "a cabin between two pine trees"]

COLORS = "red blue green yellow orange purple pink white black silver golden brown striped".split()
TOYS = """ball kite drum doll boat whistle scarf hat ring bell book cup lantern ribbon puppet top flute
mitten button marble blanket basket necklace umbrella wagon""".split()
TOYS += ["paint box", "music box", "wooden horse", "teddy bear", "toy car", "glass bead", "magic wand", "paper crown",
         "pocket watch", "jump rope", "tin robot", "snow globe", "toy train", "paper lion", "sun hat", "toy ship"]
TOY_LOOKS = """shiny small old new soft pretty special bright favorite tiny round wooden lovely fine""".split()
BREAKABLE = ["vase", "plate", "cup", "jar", "lamp", "bowl", "teapot", "clock", "mirror", "window", "pot", "picture frame"]
FOODS = ["apples", "cookies", "berries", "pears", "cherries", "nuts", "plums", "carrots", "grapes",
         "pancakes", "peaches", "muffins", "buns", "tarts", "strawberries", "figs", "oranges", "rolls"]
ONE_FOOD = ["cake", "pie", "loaf of bread", "pot of soup", "bowl of porridge", "jar of honey",
            "apple pie", "round cheese", "plum cake", "berry tart", "jar of jam", "nut cake"]
SEEDS = [("sunflower", "flower"), ("pumpkin", "pumpkin"), ("apple", "apple tree"), ("bean", "bean plant"),
         ("tomato", "tomato plant"), ("melon", "melon"), ("cherry", "cherry tree"), ("rose", "rose bush"),
         ("carrot", "carrot"), ("strawberry", "strawberry plant"), ("pear", "pear tree"), ("poppy", "flower")]

# weather: adjective, sentence
WEATHER = [
    ("sunny", "The sun was warm and the sky was blue."),
    ("windy", "The wind pushed the clouds across the sky."),
    ("cloudy", "Soft grey clouds covered the sun."),
    ("cold", "The air was cold and every breath made a little cloud."),
    ("bright", "The light was clear and the birds were singing."),
    ("warm", "A warm breeze carried the smell of flowers."),
    ("quiet", "Nothing moved except one slow cloud."),
]
TIMES = ["morning", "afternoon", "day", "evening"]
FEARS = [
    ("the dark", "every night when the lamp went out", "the stars are little lamps that never go out", "a tall ghost", "a coat on a chair"),
    ("thunder", "every time a storm came near", "the clouds are only playing their drums", "an angry giant", "a loose door in the wind"),
    ("deep water", "every time the others went swimming", "the water will hold you if you are calm", "a huge fish", "a floating log"),
    ("high places", "every time the others climbed a tree", "you only need to look at the next branch", "a hungry hawk", "a torn kite"),
    ("the old cellar", "every time someone asked for jam", "a small candle is stronger than a big shadow", "a monster", "a fat sleepy toad"),
    ("big dogs", "every time a dog barked in the street", "a slow hand and a soft voice make a friend", "a wild wolf", "a muddy old dog"),
    ("speaking to strangers", "every time a visitor came", "a smile is the easiest word to say", "a grumpy king", "a shy old man"),
    ("the forest path", "every time the sun went down", "every tree on the path is an old friend of yours", "a bear", "a mossy stump"),
]
SKILLS = [
    ("swim", "swimming", "sank like a stone", "kick with your feet and breathe slowly"),
    ("whistle", "whistling", "made no sound but a puff of air", "make your lips small and blow gently"),
    ("ride a bicycle", "riding", "fell into the soft grass", "look far ahead and not at the wheels"),
    ("dance", "dancing", "stepped on everybody's toes", "listen to the drum and count to four"),
    ("bake bread", "baking", "made a loaf as hard as a rock", "give the dough time to rise"),
    ("skate", "skating", "slid down with a bump", "bend your knees and hold out your arms"),
    ("play the flute", "playing", "made a squeak like a rusty door", "play one note well before you play two"),
    ("paint", "painting", "dropped paint all over the paper", "look for a long time before you draw a line"),
    ("juggle", "juggling", "dropped every ball", "begin with one ball and then use two"),
    ("row a boat", "rowing", "went around in circles", "pull both oars at the same time"),
    ("climb", "climbing", "slipped down again", "hold on with three and move only one"),
    ("sing", "singing", "forgot all the words", "close your eyes and think of someone you love"),
    ("knit", "knitting", "made a knot as big as an apple", "make one small loop after another"),
    ("throw far", "throwing", "hit the fence", "step forward and let your arm follow"),
]
BUILDS = [
    ("bird house", "wood", "nails", "roof"), ("boat", "wood", "rope", "sail"), ("kite", "paper", "string", "tail"),
    ("scarf", "wool", "buttons", "edge"), ("lantern", "paper", "wire", "handle"), ("chair", "wood", "glue", "leg"),
    ("quilt", "cloth", "thread", "corner"), ("picture", "paper", "paint", "frame"), ("crown", "flowers", "ribbon", "front"),
    ("puppet", "cloth", "buttons", "arm"), ("swing", "wood", "rope", "seat"), ("sled", "wood", "nails", "front"),
]
NOISES = [
    ("tap, tap, tap", "a branch that knocked on the window", "cut the branch a little"),
    ("scratch, scratch", "a hungry kitten at the door", "gave it a bowl of milk"),
    ("hoo, hoo", "a young owl on the roof", "wished it a good night"),
    ("drip, drip, drip", "a hole in the roof", "put a pot under it"),
    ("thump, thump", "a rabbit that was dancing on the porch", "clapped for the dancer"),
    ("squeak, squeak", "a mouse that was pulling a piece of cheese", "let it keep the cheese"),
    ("rustle, rustle", "a hedgehog in a pile of leaves", "brought it a slice of apple"),
    ("ding, ding", "a goat with a bell that had lost its way", "led it back to the farm"),
    ("crunch, crunch", "a pony that was eating the apples", "gave it a brush and a kind word"),
    ("whoosh, whoosh", "a curtain that the wind blew about", "closed the window"),
]
HURTS = [
    ("was stuck in a thorn bush", "cut the thorns away with care"),
    ("had a sore leg", "tied a soft cloth around the leg"),
    ("had fallen into a hole", "let down a long branch like a ladder"),
    ("was caught in an old net", "untied the knots one by one"),
    ("was wet and shivering", "wrapped it in a warm scarf"),
    ("had lost its mother", "followed the small tracks until they found her"),
    ("was too weak to walk", "carried it home in a basket"),
    ("was trapped under a branch", "lifted the branch with a stick"),
]
WISHES = ["a mountain of candy", "a crown of gold", "a ship with white sails", "a castle with a hundred rooms",
          "a robot that did all the work", "a horse as fast as the wind", "a bag of silver coins"]
GAMES = ["hide and seek", "tag", "a game of pirates", "a jumping game", "a game of ball", "a game with stones"]

GLAD = "happy glad proud cheerful joyful pleased thankful delighted".split()
SAD = "sad unhappy gloomy sorry upset".split()
LOVES = ["looking at the clouds", "telling jokes", "collecting smooth stones", "singing in the morning", "helping in the kitchen",
         "reading about the sea", "counting the stars", "running through puddles", "drawing small maps", "listening to old stories",
         "picking flowers", "building towers", "watching the rain", "feeding the ducks", "sleeping in the sun",
         "asking questions", "climbing trees", "making soup", "jumping over logs", "talking to the moon"]
