import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { LinkButton } from '../../lib/link-button.tsx'
import ArrowRight from 'virtual:icon/arrow-right'
import ChevronDown from 'virtual:icon/chevron-down'
import { installationName } from '../../lib/installation.ts'
import { hasRelay } from '../../lib/site-kind.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { useWhenIdle } from '../../lib/use-when-idle.ts'
import { paths } from '../../paths.ts'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import { ConnectYourDevice } from './connect-your-device.tsx'
import { Island } from './island.tsx'
import { Scene } from './scene.tsx'
import { Section } from './section.tsx'
import { useSectionFocus } from './use-section-focus.ts'

/** Loaded separately, because it is not essential to the page. */
const fetchRightNow = async () => (await import('./right-now.tsx')).RightNow

export function LandingPage() {
  usePageTitle()
  useSectionFocus()
  const [rightNow, loadRightNow] = useOnDemand(fetchRightNow)
  useWhenIdle(loadRightNow)
  return (
    <div className="flex flex-col gap-28 pb-16 sm:gap-40 sm:pb-24">
      <Hero />
      {rightNow.step === 'ready' && <rightNow.Component />}
      <HowItWorks />
      <ConnectYourDevice />
      <ExploreTheCommunity />
      <SafetyAndTrust />
      <Faq />
    </div>
  )
}

function Hero() {
  return (
    <div className="landing-hero">
      <div className="relative z-10 flex flex-col gap-5 sm:gap-6">
        <h1 className="landing-title font-semibold">{installationName()}</h1>
        <p className="font-display text-2xl leading-snug font-medium text-ink">
          <Trans>The community-powered meta-network</Trans>
        </p>
        <p className="max-w-md text-lg text-muted">
          <Trans>Log on and explore islands run by fellow Navigators.</Trans>{' '}
          {hasRelay()
            ? t`Host one from your own home: visitors come in through the relay, and your router stays as it is.`
            : t`Bring a device of your own online.`}
        </p>
        <div className="mt-2 flex flex-wrap gap-3 max-[26rem]:flex-col">
          <LinkButton to={paths.explore()} size="lg">
            <Trans>Explore</Trans>
            <ArrowRight aria-hidden />
          </LinkButton>
          <LinkButton to={paths.landingConnect()} size="lg" variant="outline">
            <Trans>Connect your device</Trans>
          </LinkButton>
        </div>
        <p className="max-w-md text-sm text-muted">
          <Trans>
            Hosting is free, though some community services may carry optional costs. No tunnel or
            port-forwarding is required.
          </Trans>{' '}
          {hasRelay()
            ? t`Your device calls out to say that it is online, and what it hosts is reached through the relay.`
            : t`Your device calls out to say that it is online; nothing has to reach it for that.`}
        </p>
      </div>
      <Scene />
    </div>
  )
}

const steps = () => [
  {
    title: t`Join & Discover`,
    text: t`Pick a name and a password. You need no e-mail address. Or look around with a demo account that is deleted after a day.`,
  },
  {
    title: t`Explore the Network`,
    text: t`Visit islands: chats, games, media and apps that fellow Navigators host.`,
  },
  {
    title: t`Connect Your Device`,
    text: hasRelay()
      ? t`Paste one command. A minute later your device is on the globe. With the Island Builder it hosts an island that your friends can visit.`
      : t`Paste one command. A minute later your device is on the globe, and you see whether it is online.`,
  },
]

function HowItWorks() {
  return (
    <Section
      id="how-it-works"
      title={t`How it works`}
      lead={t`From your first look around to an island of your own, at your pace.`}
    >
      <ol className="grid gap-10 md:grid-cols-3 md:gap-0">
        {steps().map(({ title, text }, index) => (
          <li key={title} className="landing-step relative flex flex-col gap-3 md:pe-10">
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

const kinds = [
  {
    kind: 'social',
    title: t`Social spaces`,
    text: t`Chat rooms, tables for a game night, a bar where somebody is always up.`,
  },
  {
    kind: 'media',
    title: t`Media hubs`,
    text: t`Music, film evenings, photo walls and shelves of files.`,
  },
  {
    kind: 'creative',
    title: t`Creative labs`,
    text: t`Blogs, small apps and experiments, built in the open.`,
  },
] as const

function ExploreTheCommunity() {
  return (
    <Section
      id="community"
      title={t`Explore the community`}
      lead={t`Islands are spaces that people host for people. Three kinds to look out for.`}
    >
      <ul className="grid gap-12 md:grid-cols-3 md:gap-8">
        {kinds.map(({ kind, title, text }) => (
          <li key={kind} className="flex flex-col gap-3">
            <Island kind={kind} className="landing-island mb-3 -ms-4 h-52 self-start lg:h-60" />
            <h3 className="text-title font-semibold">{title}</h3>
            <p className="max-w-sm text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const principles = [
  {
    title: t`Respect & consent`,
    text: t`Ask before you share what is not yours, accept a no, and leave when you are asked to.`,
  },
  {
    title: t`Community-first`,
    text: t`Help newcomers find their way, and put what is good for everyone before what is good for one.`,
  },
  {
    title: t`Your island, your rules`,
    text: t`Island hosts set their own rules, and choose who can see or join their island and what is shared.`,
  },
]

function SafetyAndTrust() {
  return (
    <Section
      id="safety"
      title={t`Safety & trust`}
      lead={t`A network of home-made places works when everyone can feel at home in them.`}
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

const questions = () => [
  {
    question: t`Is it free?`,
    answer: t`Yes. Joining, exploring and hosting are free. Some community services may carry optional costs.`,
  },
  {
    question: t`Do I need port-forwarding?`,
    answer: hasRelay()
      ? t`No. Your device calls out, and visitors come in through the relay of this site. A tunnel works too, if you prefer one.`
      : t`No. A tunnel works. To be online your device only calls out.`,
  },
  {
    question: t`What can I host?`,
    answer: hasRelay()
      ? t`Chats, files, media, games, blogs: whatever your device can run and you are happy to share. Without a device, a browser is enough for a page, if the operator of this site allows it.`
      : t`Chats, files, media, games, blogs: whatever your device can run and you are happy to share.`,
  },
]

function Faq() {
  return (
    <Section id="faq" title={t`FAQ`} lead={t`The short answers.`} split>
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
