import ChevronDown from 'virtual:icon/chevron-down'
import { hasRelay } from '../../lib/site-kind.ts'
import { Section } from './section.tsx'

const questions = () => [
  {
    question: 'Is it free?',
    answer:
      'Yes. Joining, exploring and hosting are free. Some community services may carry optional costs.',
  },
  {
    question: 'Do I need port-forwarding?',
    answer: hasRelay()
      ? 'No. Your device calls out, and visitors come in through the relay of this site. A tunnel works too, if you prefer one.'
      : 'No. A tunnel works. To be online your device only calls out.',
  },
  {
    question: 'What can I host?',
    answer:
      'Chats, files, media, games, blogs: whatever your device can run and you are happy to share.',
  },
]

export function Faq() {
  return (
    <Section id="faq" title="FAQ" lead="The short answers." split>
      <div className="border-y border-line">
        {questions().map(({ question, answer }, index) => (
          <details
            key={question}
            open={index === 0}
            className="group border-t border-line first:border-t-0"
          >
            <summary className="flex list-none items-center justify-between gap-4 rounded-mark py-5 text-title font-medium hover:text-accent-strong [&::-webkit-details-marker]:hidden">
              {question}
              <ChevronDown
                aria-hidden
                className="size-5 shrink-0 text-muted transition-transform duration-200 group-open:rotate-180"
              />
            </summary>
            <p className="max-w-xl pb-6 text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  )
}
