import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import Gauge from 'virtual:icon/gauge'
import Telescope from 'virtual:icon/telescope'
import UserRound from 'virtual:icon/user-round'
import { LinkButton } from '../../lib/link-button.tsx'
import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import type { IconComponent } from '../../ui/create-icon.tsx'
import { Section } from './section.tsx'

export function Places() {
  return (
    <Section id="places" title={t`Your places`}>
      <div className="grid gap-4 md:grid-cols-[5fr_7fr] md:grid-rows-2">
        <Place
          name={t`Account`}
          icon={UserRound}
          path={paths.account()}
          about={t`Your name, your devices and the tokens that they report with.`}
        />
        <Place
          name={t`Dashboard`}
          icon={Gauge}
          path={paths.dashboard()}
          about={t`Your islands, and what happened while you were away.`}
        />
        <Place
          name={t`Observatory`}
          icon={Telescope}
          path={paths.observatory()}
          about={t`Sky and Earth: every public device on a globe and a map, as it comes online.`}
          className="min-h-80 md:col-start-2 md:row-span-2 md:row-start-1"
          art={
            <ObservatoryArt className="absolute -end-16 -bottom-24 -z-10 size-80 sm:-end-8 sm:-bottom-28 sm:size-96 lg:-bottom-20" />
          }
        />
      </div>
    </Section>
  )
}

interface PlaceProps {
  name: string
  icon: IconComponent
  path: string
  about: string
  className?: string
  art?: ReactNode
}

function Place({ name, icon: Icon, path, about, className, art }: PlaceProps) {
  const id = `place${path.replaceAll('/', '-')}`
  return (
    <article
      aria-labelledby={id}
      className={classNames(
        'relative isolate flex flex-col items-start gap-3 overflow-hidden rounded-card border border-line bg-panel/85 p-6',
        className,
      )}
    >
      {art}
      <h3 id={id} className="flex items-center gap-3 text-lg font-semibold">
        <Icon aria-hidden className="size-5 text-accent" strokeWidth={1.75} />
        {name}
      </h3>
      <p className="mb-2 max-w-sm text-sm text-muted">{about}</p>
      <LinkButton to={path} aria-describedby={id} variant="outline" size="sm" className="mt-auto">
        <Trans context="button">Open</Trans>
      </LinkButton>
    </article>
  )
}

const nodes = [
  { x: 118, y: 96 },
  { x: 150, y: 150 },
  { x: 96, y: 176 },
  { x: 206, y: 112 },
  { x: 180, y: 64 },
]

function ObservatoryArt({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 320 320" fill="none" className={className}>
      <defs>
        <radialGradient id="observatory-sphere" cx="38%" cy="30%" r="75%">
          <stop offset="0" stopOpacity="0.22" className="[stop-color:var(--color-accent)]" />
          <stop offset="1" stopOpacity="0" className="[stop-color:var(--color-accent)]" />
        </radialGradient>
      </defs>
      <circle cx="160" cy="160" r="118" fill="url(#observatory-sphere)" />
      <g transform="rotate(-18 160 160)" className="stroke-line-strong">
        <circle cx="160" cy="160" r="118" />
        <ellipse cx="160" cy="160" rx="42" ry="118" />
        <ellipse cx="160" cy="160" rx="86" ry="118" />
        <path d="M160 42v236M42 160h236M58 101h204M58 219h204M96 61h128M96 259h128" />
      </g>
      <ellipse
        cx="160"
        cy="160"
        rx="152"
        ry="46"
        transform="rotate(-18 160 160)"
        strokeDasharray="3 7"
        className="stroke-accent/50"
      />
      {nodes.map(({ x, y }) => (
        <g key={x}>
          <circle cx={x} cy={y} r="9" className="fill-online/15" />
          <circle cx={x} cy={y} r="3.5" className="fill-online" />
        </g>
      ))}
    </svg>
  )
}
