import { Section } from './section.tsx'

const principles = [
  {
    title: 'Respect & consent',
    text: 'Ask before you share what is not yours, accept a no, and leave when you are asked to.',
  },
  {
    title: 'Community-first',
    text: 'Help newcomers find their way, and put what is good for everyone before what is good for one.',
  },
  {
    title: 'Your island, your rules',
    text: 'Island hosts set their own rules, and choose who can see or join their island and what is shared.',
  },
]

export function SafetyAndTrust() {
  return (
    <Section
      id="safety"
      title="Safety & trust"
      lead="A network of home-made places works when everyone can feel at home in them."
      split
    >
      <ul className="flex flex-col">
        {principles.map(({ title, text }) => (
          <li
            key={title}
            className="flex flex-col gap-2 border-t border-line py-7 first:border-t-0 first:pt-0 last:pb-0"
          >
            <h3 className="text-title font-semibold">{title}</h3>
            <p className="max-w-xl text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
