import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import type { NodeSummary } from './node-name.ts'

/** A card's button that leads to the device's page with its history. */
export function DevicePageLink({ node: { id } }: { node: NodeSummary }) {
  return (
    <Link to={paths.device(id)} className={buttonStyles({ size: 'sm', variant: 'outline' })}>
      Its page
    </Link>
  )
}
