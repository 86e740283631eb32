import { Island } from './island.tsx'
import { Section } from './section.tsx'

const kinds = [
  {
    kind: 'social',
    title: 'Social spaces',
    text: 'Chat rooms, tables for a game night, a bar where somebody is always up.',
  },
  {
    kind: 'media',
    title: 'Media hubs',
    text: 'Music, film evenings, photo walls and shelves of files.',
  },
  {
    kind: 'creative',
    title: 'Creative labs',
    text: 'Blogs, small apps and experiments, built in the open.',
  },
] as const

export function ExploreTheCommunity() {
  return (
    <Section
      id="community"
      title="Explore the community"
      lead="Islands are spaces that people host for people. Three kinds to look out for."
    >
      <ul className="grid gap-12 md:grid-cols-3 md:gap-8">
        {kinds.map(({ kind, title, text }) => (
          <li key={kind} className="flex flex-col gap-3">
            <Island kind={kind} className="landing-island mb-3 -ml-4 h-52 self-start lg:h-60" />
            <h3 className="text-title font-semibold">{title}</h3>
            <p className="max-w-sm text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
