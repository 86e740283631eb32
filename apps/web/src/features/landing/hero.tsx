import { Link } from 'react-router'
import ArrowRight from 'virtual:icon/arrow-right'
import { installationName } from '../../lib/installation.ts'
import { hasRelay } from '../../lib/site-kind.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Scene } from './scene.tsx'

export function Hero() {
  return (
    <div className="landing-hero">
      <div className="relative z-10 flex flex-col gap-5 sm:gap-6">
        <h1 className="landing-title font-semibold">{installationName()}</h1>
        <p className="font-display text-2xl leading-snug font-medium text-ink">
          The community-powered meta-network
        </p>
        <p className="max-w-md text-lg text-muted">
          Log on and explore islands run by fellow Navigators.{' '}
          {hasRelay()
            ? 'Host one from your own home: visitors come in through the relay, and your router stays as it is.'
            : 'Bring a device of your own online.'}
        </p>
        <div className="mt-2 flex flex-wrap gap-3 max-[26rem]:flex-col">
          <Link to={paths.explore()} className={buttonStyles({ size: 'lg' })}>
            Explore
            <ArrowRight aria-hidden />
          </Link>
          <Link
            to={paths.landingConnect()}
            className={buttonStyles({ size: 'lg', variant: 'outline' })}
          >
            Connect your device
          </Link>
        </div>
        <p className="max-w-md text-sm text-muted">
          Hosting is free, though some community services may carry optional costs. No tunnel or
          port-forwarding is required. Your device calls out to say that it is online
          {hasRelay()
            ? ', and what it hosts is reached through the relay.'
            : '; nothing has to reach it for that.'}
        </p>
      </div>
      <Scene />
    </div>
  )
}
