import type { NewIsland } from '@astropelago/contract/islands'

/** An island of the sample, and how it is published. */
export interface SampleIsland extends Pick<NewIsland, 'name' | 'kind' | 'tagline' | 'slug'> {
  /** `listed` means in the directory that are public. The others are unlisted, with this access policy. */
  readonly published:
    | 'listed'
    | 'listed for Navigators'
    | 'listed for members'
    | 'public'
    | 'invited'
    | 'draft'
  /**
   * The island's carrier: a device that reports, one that does not, or none. `nowhere` also has no address.
   */
  readonly carrier: 'online' | 'silent' | 'nobody' | 'nowhere'
}

type Row = readonly [
  name: string,
  kind: NewIsland['kind'],
  tagline: string,
  carrier?: SampleIsland['carrier'],
  published?: SampleIsland['published'],
]

const rows: readonly Row[] = [
  ['Harbor Tales', 'social', 'Stories by those who have been out there, Fridays at nine.'],
  ['The Slow Radio', 'media', 'Field recordings, rain on tin roofs, no talking.'],
  [
    'Reef Racers',
    'social',
    'Boats, bots and bad manners. Newcomers start in the lagoon.',
    'silent',
  ],
  ['Salt & Solder', 'lab', 'Small electronics, built in the open and broken in the open.'],
  ['Night Ferry Cinema', 'media', 'One film a week, and an hour to argue about it.'],
  ['Driftwood', 'social', 'A quiet chat for people who type in full sentences.', 'nobody'],
  ['Vinyl Lagoon', 'media', 'Records that nobody has put on the internet yet.'],
  ['The Loom', 'lab', 'A blog about weaving, with patterns to print.', 'nobody'],
  ['Kelp Kitchen', 'social', 'What we cook, what went wrong, and the recipe.'],
  ['Tidepool Atlas', 'lab', 'A hand-drawn map of one beach, a square metre a day.'],
  ['Beacon 7', 'social', 'Voice room for the night shift.', 'silent'],
  ['Paper Boats', 'lab', 'Folding instructions, all of them tested in a bathtub.'],
  ['Low Orbit Library', 'media', 'Public-domain books, set properly, for small screens.'],
  ['Café Meridian', 'social', 'English and Spanish, half an hour each.'],
  ['Storm Glass', 'lab', 'A weather station on a roof, and what it makes of the sky.'],
  ['The Listening Post', 'media', 'Shortwave, day and night, with a log anybody may write in.'],
  ['Mossback', 'social', 'A text game that has been running since spring.'],
  ['Copper Coast', 'lab', 'Scans of old electrical drawings, cleaned up.', 'nowhere'],
  ['Lanternfish', 'media', 'Photographs after dark. No filters, no likes.'],
  ['Chess by Signal Flag', 'social', 'One move a day. Bring patience.'],
  ['The Tin Observatory', 'lab', 'What a forty-euro telescope can see from a balcony.'],
  ['Second-hand Sea', 'social', 'Give away, swap, mend. Nothing is sold.', 'silent'],
  ['Loop Garden', 'media', 'Eight bars a day, free to take and build on.'],
  ['Pebble', 'lab', 'A web page that fits into 512 bytes. Every week another.', 'nobody'],
  ['Harbor Choir', 'social', 'We sing on Sundays, with the latency we have.'],
  ['Black Sand', 'media', 'A film club for films nobody else shows.'],
  ['Root Cellar', 'lab', 'Notes on keeping a server alive for ten years.'],
  ['Sextant School', 'social', 'Learn to find yourself without a satellite.'],
  ['The Archive of Small Sounds', 'media', 'Doors, kettles, keys. Send yours.', 'silent'],
  ['Plankton', 'lab', 'Tiny apps that do one thing and then stop.'],
  [
    'Windward Writers',
    'social',
    'Two pages a week, read aloud.',
    'online',
    'listed for Navigators',
  ],
  [
    'Old Cable Station',
    'lab',
    'Radio amateurs, licensed and hopeful.',
    'online',
    'listed for Navigators',
  ],
  [
    'Blue Hour',
    'media',
    'Live sets, once a month, from a kitchen.',
    'silent',
    'listed for members',
  ],
  ['Cousins', 'social', 'For the family, wherever it is.', 'online', 'invited'],
  ['Film Shelf', 'media', 'Our own discs, for our own friends.', 'online', 'invited'],
  ['Backyard Bench', 'lab', 'Where unfinished things wait.', 'silent', 'invited'],
  ['Side Door', 'social', 'For whoever has the link.', 'nobody', 'public'],
  ['Half an Idea', 'lab', '', 'nowhere', 'draft'],
  ['Sunday Matinee', 'media', 'Not ready yet.', 'nobody', 'draft'],
]

/** Forty in total, with the Community Lounge, which every installation has. */
export const sampleIslands: readonly SampleIsland[] = rows.map(
  ([name, kind, tagline, carrier = 'online', published = 'listed']) => ({
    name,
    kind,
    tagline,
    slug: slugOf(name),
    carrier,
    published,
  }),
)

export const sampleAbout = `We keep it small, and the door open.

What there is: a room to talk in, a shelf of what we have made, and a log of what happened.
What there is not: advertisements, rankings, anybody counting.

Come in, look around, say hello. If something is broken, leave a note.`

export const sampleRules = `Be kind. Ask before you take a picture of somebody.
No advertisements.

Whoever does not keep to this is shown the door.`

/** Signals of hosts, with the number of days until the event. Without days it is news. */
export const sampleSignals: readonly (readonly [text: string, inDays?: number])[] = [
  ['Open evening: everybody is welcome, no preparation needed.', 2],
  ['New shelf by the window: forty scans, more on the way.'],
  ['We move to the bigger machine tonight; back by midnight.'],
  ['Third round on Friday. Bring somebody who has never been here.', 5],
  ['The archive is searchable now. Thank you for the patience.'],
  ['Summer pause: nobody answers for a week, the door stays open.'],
  ['Live from the kitchen, with soup.', 9],
  ['Found: one umbrella, one good idea. Ask for either.'],
]

/** Messages of people who ask to join. */
export const sampleRequests: readonly string[] = [
  'I was at the last one, at the very back, with the dog.',
  '',
  'Wren told me of it. I bring soup, and two more who sing; one of them plays the double bass.',
]

export const sampleNotes: readonly string[] = [
  'Came for five minutes, stayed the evening.',
  'The second link on the shelf leads nowhere, by the way.',
  'First time here. Who drew the map?',
  'Thank you for keeping this up!',
  'Is there a way to hear last week’s again?',
  'Greetings from the other side of the planet.',
  'Left something on the bench for whoever needs it.',
]

function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 32)
}
