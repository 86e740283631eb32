import { crc32, deflateRawSync } from 'node:zlib'

/** An entry, and what its headers say of it if that is not the truth. */
export interface ZipPart {
  readonly name: string | Uint8Array
  readonly data?: string | Uint8Array
  readonly isStored?: boolean
  readonly method?: number
  readonly flags?: number
  readonly mode?: number
  readonly crc?: number
  readonly size?: number
  readonly packedSize?: number
  readonly extra?: Uint8Array
  /** Sizes and checksum follow the data. */
  readonly hasDescriptor?: boolean
  readonly isZip64?: boolean
  /** Bytes that stand for the deflated data. */
  readonly packed?: Uint8Array
  /** Of another part, whose header and data this one shares. */
  readonly offset?: number
}

interface ZipOptions {
  readonly entryCount?: number
  readonly isZip64?: boolean
}

const utf8 = 0x800

export function makeZip(
  parts: readonly ZipPart[],
  { entryCount = parts.length, isZip64 = false }: ZipOptions = {},
): Buffer {
  const bodies: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let length = 0
  for (const part of parts) {
    const { local, central } = makeEntry(part, part.offset ?? length)
    directory.push(central)
    if (part.offset !== undefined) continue
    bodies.push(local)
    length += local.length
  }
  const central = Buffer.concat(directory)
  return Buffer.concat([...bodies, central, endOf(entryCount, central.length, length, isZip64)])
}

function makeEntry(part: ZipPart, offset: number) {
  const name = Buffer.from(part.name)
  const data = Buffer.from(part.data ?? '')
  const isStored = part.isStored ?? false
  const packed = part.packed ?? (isStored ? data : deflateRawSync(data))
  const [crc, size, packedSize] = [
    part.crc ?? crc32(data),
    part.size ?? data.length,
    part.packedSize ?? packed.length,
  ]
  const flags = (part.flags ?? utf8) | (part.hasDescriptor ? 8 : 0)
  const method = part.method ?? (isStored ? 0 : 8)
  const wide = part.isZip64 ?? false
  const shown = (value: number) => (wide ? 0xffffffff : value)
  const extra = Buffer.concat([
    wide ? u(2, 1, 2, 24, 8, size, 8, packedSize, 8, offset) : u(),
    part.extra ?? u(),
  ])
  const known = (value: number) => (part.hasDescriptor ? 0 : value)
  const local = Buffer.concat([
    u(4, 0x04034b50, 2, 20, 2, flags, 2, method, 4, 0),
    u(4, known(crc), 4, known(shown(packedSize)), 4, known(shown(size))),
    u(2, name.length, 2, extra.length),
    name,
    extra,
    packed,
    part.hasDescriptor ? u(4, 0x08074b50, 4, crc, 4, packedSize, 4, size) : u(),
  ])
  const central = Buffer.concat([
    u(4, 0x02014b50, 2, (3 << 8) | 45, 2, 20, 2, flags, 2, method, 4, 0),
    u(4, crc, 4, shown(packedSize), 4, shown(size), 2, name.length, 2, extra.length),
    u(2, 0, 2, 0, 2, 0, 4, (part.mode ?? 0o100644) * 0x10000, 4, shown(offset)),
    name,
    extra,
  ])
  return { local, central }
}

function endOf(count: number, bytes: number, offset: number, isZip64: boolean): Buffer {
  const end = u(4, 0x06054b50, 2, 0, 2, 0)
  if (!isZip64) {
    return Buffer.concat([end, u(2, count, 2, count, 4, bytes, 4, offset, 2, 0)])
  }
  const at = offset + bytes
  return Buffer.concat([
    u(4, 0x06064b50, 8, 44, 2, 45, 2, 45, 4, 0, 4, 0, 8, count, 8, count, 8, bytes, 8, offset),
    u(4, 0x07064b50, 4, 0, 8, at, 4, 1),
    end,
    u(2, 0xffff, 2, 0xffff, 4, 0xffffffff, 4, 0xffffffff, 2, 0),
  ])
}

/** Little-endian numbers, each after its width in bytes. */
function u(...pairs: readonly number[]): Buffer {
  const bytes: number[] = []
  for (let at = 0; at < pairs.length; at += 2) {
    let value = BigInt(pairs[at + 1] ?? 0)
    for (let left = pairs[at] ?? 0; left > 0; left -= 1) {
      bytes.push(Number(value & 0xffn))
      value >>= 8n
    }
  }
  return Buffer.from(bytes)
}
