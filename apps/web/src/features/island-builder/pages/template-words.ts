import type { TemplateName } from '@astropelago/contract/hosted-pages'
import type { IslandKind } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import blog from './pictures/blog.svg'
import chatRoom from './pictures/chat-room.svg'
import guestBook from './pictures/guest-book.svg'
import links from './pictures/links.svg'
import photoWall from './pictures/photo-wall.svg'
import scoreboard from './pictures/scoreboard.svg'

export interface Choice {
  readonly name: string
  readonly about: string
  /** The address of a drawing. */
  readonly picture: string
}

interface Template extends Choice {
  /** The kind and the tagline of an island that begins with it. */
  readonly kind: IslandKind
  readonly tagline: string
}

export const templates: Readonly<Record<TemplateName, Template>> = {
  'chat-room': {
    name: t`Chat room`,
    about: t`Talk with everybody who comes in.`,
    picture: chatRoom,
    kind: 'social',
    tagline: t`Come in, sit down, say hello.`,
  },
  'guest-book': {
    name: t`Guest book`,
    about: t`Visitors leave a line that stays.`,
    picture: guestBook,
    kind: 'social',
    tagline: t`You were here. Leave a line.`,
  },
  'photo-wall': {
    name: t`Photo wall`,
    about: t`Your pictures on a string of lights.`,
    picture: photoWall,
    kind: 'media',
    tagline: t`Pictures to look at in peace.`,
  },
  scoreboard: {
    name: t`Scoreboard`,
    about: t`A small game, and who plays it best.`,
    picture: scoreboard,
    kind: 'lab',
    tagline: t`Play a round and beat the others.`,
  },
  blog: {
    name: t`Blog`,
    about: t`Letters that you write now and then.`,
    picture: blog,
    kind: 'lab',
    tagline: t`Letters, now and then.`,
  },
  links: {
    name: t`List of links`,
    about: t`One page that leads to all your others.`,
    picture: links,
    kind: 'media',
    tagline: t`Where to find me.`,
  },
}
