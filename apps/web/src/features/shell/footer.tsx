import { languages } from '@astropelago/contract/languages'
import { SiteLinks } from '@astropelago/contract/site'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import * as v from 'valibot'
import Pause from 'virtual:icon/pause'
import Play from 'virtual:icon/play'
import { chooseLanguage, languageNames } from '../../language/chosen-language.ts'
import { language } from '../../language/language.ts'
import { installationName } from '../../lib/installation.ts'
import { motionPause, useMotionPaused } from '../../lib/motion.ts'
import { isLive } from '../../lib/site-kind.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Logo } from './header.tsx'

const links = [
  { name: t`Explore`, path: paths.explore() },
  { name: t`How it works`, path: paths.landingHowItWorks() },
  { name: t`Connect your device`, path: paths.landingConnect() },
  { name: t`Safety & trust`, path: paths.landingSafety() },
  { name: t`FAQ`, path: paths.landingFaq() },
] as const

const linkStyle = 'text-muted no-underline underline-offset-4 hover:text-ink hover:underline'

export function Footer() {
  const siteLinks = useSiteLinks()
  return (
    // Invisible below a page that is still loading: if a reload has scrolled down, the footer would
    // visibly jump.
    <footer className="border-t border-line [main:empty~&]:invisible [main:has(>[data-awaited])~&]:invisible">
      <div className="mx-auto flex w-full max-w-6xl flex-col gap-8 px-4 py-10 text-sm text-muted sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-x-10 gap-y-6">
          <p className="flex min-w-0 items-center gap-2.5 font-display text-base font-semibold text-ink">
            <Logo />
            <span className="min-w-0 wrap-break-word">{installationName()}</span>
          </p>
          <nav aria-label={t`Footer`}>
            <ul className="flex flex-wrap gap-x-6 gap-y-3">
              {links.map(({ name, path }) => (
                <li key={name}>
                  <Link to={path} className={linkStyle}>
                    {name}
                  </Link>
                </li>
              ))}
              <li>
                {/* A page rendered by the server, not part of this app. */}
                <a href={paths.apiDocs()} className={linkStyle}>
                  API
                </a>
              </li>
              {siteLinks.map(({ name, href }) => (
                <li key={name}>
                  <a href={href} className={linkStyle}>
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
          {!isLive() && (
            <p>
              <Trans>
                An early prototype in active development: expect glitches and data resets.
              </Trans>
            </p>
          )}
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <LanguageLinks />
            <PauseMotionButton />
          </div>
        </div>
      </div>
    </footer>
  )
}

/** Each in itself, for those who can't read the current one. */
function LanguageLinks() {
  return (
    <ul aria-label={t`Language`} className="flex gap-x-4">
      {languages.map((each) => (
        <li key={each}>
          <button
            type="button"
            lang={each}
            aria-current={each === language ? 'true' : undefined}
            onClick={() => chooseLanguage(each)}
            className={`cursor-pointer py-1 ${linkStyle} aria-[current]:text-ink`}
          >
            {languageNames[each]}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** WCAG 2.2.2. data-motion stops CSS animations. Under reduced motion nothing moves anyway. */
export function PauseMotionButton() {
  const isPaused = useMotionPaused()
  useEffect(() => {
    document.documentElement.dataset['motion'] = isPaused ? 'paused' : 'free'
  }, [isPaused])
  const Icon = isPaused ? Play : Pause
  return (
    <Button
      variant="ghost"
      size="sm"
      className="motion-reduce:hidden"
      onClick={() => motionPause.set(!isPaused)}
    >
      <Icon aria-hidden className="size-4" />
      {isPaused ? t`Move the stars` : t`Pause the stars`}
    </Button>
  )
}

const none: SiteLinks = []
let read: { readonly text: string; readonly links: SiteLinks } | undefined

/** The operator's links. The server writes them into each page, but not into prerendered markup. */
function useSiteLinks(): SiteLinks {
  return useSyncExternalStore(neverChanges, readLinks, () => none)
}

const neverChanges = () => () => undefined

function readLinks(): SiteLinks {
  const text = document.documentElement.dataset['links'] ?? ''
  if (read?.text !== text) read = { text, links: parse(text) }
  return read.links
}

function parse(text: string): SiteLinks {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), SiteLinks), text)
  return parsed.success ? parsed.output : none
}
