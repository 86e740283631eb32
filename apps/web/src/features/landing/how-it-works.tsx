import { hasRelay } from '../../lib/site-kind.ts'
import { Section } from './section.tsx'

const steps = () => [
  {
    title: 'Join & Discover',
    text: 'Pick a name and a password. You need no e-mail address. Or look around with a demo account that is deleted after a day.',
  },
  {
    title: 'Explore the Network',
    text: 'Visit islands: chats, games, media and apps that fellow Navigators run on devices of their own.',
  },
  {
    title: 'Connect Your Device',
    text: hasRelay()
      ? 'Paste one command. A minute later your device is on the globe. With the Island Builder it hosts an island that your friends can visit.'
      : 'Paste one command. A minute later your device is on the globe, and you see whether it is online.',
  },
]

export function HowItWorks() {
  return (
    <Section
      id="how-it-works"
      title="How it works"
      lead="From your first look around to an island of your own, at your pace."
    >
      <ol className="grid gap-10 md:grid-cols-3 md:gap-0">
        {steps().map(({ title, text }, index) => (
          <li key={title} className="landing-step relative flex flex-col gap-3 md:pr-10">
            <span
              aria-hidden
              data-numeric
              className="mb-2 flex size-9 items-center justify-center rounded-full border border-accent bg-ground font-display text-sm text-accent"
            >
              {index + 1}
            </span>
            <h3 className="text-title font-semibold">{title}</h3>
            <p className="max-w-sm text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
