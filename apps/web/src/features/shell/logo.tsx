import { useInstallationLogo } from '../../lib/installation.ts'
import { classNames } from '../../ui/class-names.ts'

/** A world, its orbit and two islands on it, or the installation's own logo. Decorative: the name stands beside it. */
export function Logo({ className }: { className?: string }) {
  const own = useInstallationLogo()
  if (own !== undefined) {
    return <img src={own} alt="" className={classNames('shrink-0 object-contain', className)} />
  }
  return (
    <svg
      aria-hidden
      viewBox="0 0 32 32"
      fill="none"
      // In a prerendered page it must not flash up before the installation's own logo.
      className={classNames("shrink-0 [[data-logo^='/']_&]:invisible", className)}
    >
      <ellipse
        cx="16"
        cy="16"
        rx="13.5"
        ry="6"
        transform="rotate(-28 16 16)"
        strokeWidth="1.5"
        className="stroke-edge"
      />
      <circle cx="16" cy="16" r="5.5" className="fill-accent" />
      <circle cx="26.6" cy="8.3" r="2.5" className="fill-island" />
      <circle cx="5.4" cy="23.3" r="1.75" className="fill-ink" />
    </svg>
  )
}
