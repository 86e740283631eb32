import MapPin from 'virtual:icon/map-pin'
import { useSavedLocation } from '../lib/saved-location.ts'
import { Button } from '../ui/button.tsx'
import type { DeviceDraft } from './device-draft.ts'

interface SavedLocationButtonProps {
  draft: DeviceDraft
  onChange: (changes: Partial<DeviceDraft>) => void
}

/** Fills in the location saved on the Observatory. It sets the label too if none is typed yet. */
export function SavedLocationButton({ draft, onChange }: SavedLocationButtonProps) {
  const saved = useSavedLocation()
  if (saved === undefined) return null
  const { label, lat, lon } = saved
  const takeOver = () =>
    onChange({
      lat: String(lat),
      lon: String(lon),
      ...(draft.label.trim() === '' && { label }),
    })
  return (
    <Button variant="outline" size="sm" onClick={takeOver}>
      <MapPin aria-hidden />
      Use my saved location
    </Button>
  )
}
