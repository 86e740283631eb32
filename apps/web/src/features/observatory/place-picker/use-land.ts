import { queryOptions, useQuery } from '@tanstack/react-query'
import { loadCoarseLand, loadFineLand, type MapLand } from '../map/map-land.ts'
import { layOutLand } from './place-map.ts'

/** From this zoom on, the coarse coastline shows its corners. */
const fineLandZoom = 4

function landQuery(name: string, load: () => Promise<MapLand>) {
  return queryOptions({
    queryKey: ['land', name],
    queryFn: async () => layOutLand(await load()),
    staleTime: Infinity,
    retry: false,
    structuralSharing: false,
  })
}

const coarse = landQuery('coarse', loadCoarseLand)
const fine = landQuery('fine', loadFineLand)

/**
 * The land for a zoom. The fine land is fetched when zoomed in. Until it arrives, the coarse one is used.
 */
export function useLand(zoom: number) {
  const coarseLand = useQuery(coarse)
  const fineLand = useQuery({ ...fine, enabled: zoom >= fineLandZoom })
  return {
    land: fineLand.data ?? coarseLand.data,
    isFailed: coarseLand.isError && !coarseLand.isFetching && fineLand.data === undefined,
    retry: () => void coarseLand.refetch(),
  }
}
