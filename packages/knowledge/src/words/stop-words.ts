/** Words that say nothing about what a text is about. */
const COMMON = `a about above after again against all also always am an and any anybody anyone anything are aren't as at
be became because become been before being below between both but by can can't cannot could couldn't
did didn't do does doesn't doing don't done down during each either else etc ever every everything few for from further
had has hasn't have haven't having he her here hers him his i i'd i'll i'm i've if in instead into is isn't it it's its itself
just let let's like lot many may maybe me might mine more most much must my myself never no nor not now of off often on once one only or
other others our ours out over own per perhaps quite rather really s same shall she should shouldn't since so some somebody somehow someone something
still such t than that that's the their theirs them themselves then there there's these they they're thing things this those though through
till to too toward towards under unless until up upon us very via was wasn't way ways we we'd we'll we're we've were weren't what what's whatever when whenever where
whether which while who whole whom whose why will with within without won't would wouldn't yet you you'd you'll you're you've your yours yourself`;

/** What requests are wrapped in: `please help me to find the best way to …`. */
const REQUESTING = `please help need needs needed want wants wanted wish looking trying try tries tried able know tell show explain give
get gets getting got make makes making made go goes going use uses used using kind sort good better best right proper properly correct correctly
handle handling deal dealing work works working app application thank thanks question issue issues problem problems trouble
seem seems happen happens happening keep keeps start started starts come comes say says see sees`;

export const STOP_WORDS: ReadonlySet<string> = new Set(COMMON.split(/\s+/));

/** They count for little in a request, and only if the rest finds nothing. */
export const WEAK_WORDS: ReadonlySet<string> = new Set(REQUESTING.split(/\s+/));
