import type { Reply, Wire } from "../../driver/driver.ts"
import { argumentRefused } from "../../errors/client.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { amount, isFiniteNumber } from "./argument.ts"
import { asking, type CallNotes, type OnceNotes, type WriteNotes } from "../call/notes.ts"
import { encodeAll, isNone } from "./elements.ts"
import { Handle } from "./handle.ts"
import { asNumber, isOne, listOf, numberIn, numberOrNone } from "../call/reply.ts"

/** Degrees. Redis keeps them to about half a metre. */
export interface GeoPoint {
  readonly longitude: number
  readonly latitude: number
}

export type DistanceUnit = "m" | "km" | "mi" | "ft"

/** Around a place or a member; a circle, or a box. */
export type GeoArea<W> = ({ readonly around: GeoPoint } | { readonly aroundMember: W }) &
  ({ readonly radius: number } | { readonly width: number; readonly height: number }) & {
    /** The unit of the radius, the box and the distances. Default: metres. */
    readonly unit?: DistanceUnit
  }

export interface GeoFound<R> extends GeoPoint {
  readonly member: R
  /** From the middle, in the unit of the search. */
  readonly distance: number
}

export interface SearchNotes extends CallNotes {
  readonly limit?: number
  readonly order?: "nearest" | "farthest"
}

/** Members at places on the globe. */
export class GeoHandle<R, W> extends Handle {
  /** GEOADD, O(log n): true when the member is new. */
  add(member: W, place: GeoPoint, notes?: WriteNotes): Promise<boolean> {
    return this.write(() => ["GEOADD", this.key, ...this.degrees(place), this.member.encode(member)], isOne, notes)
  }

  /** GEOADD of many, O(members × log n): how many are new. */
  addMany(entries: Iterable<readonly [member: W, place: GeoPoint]>, notes?: WriteNotes): Promise<number> {
    return this.listing(entries, (given) => {
      if (given.length === 0) return Promise.resolve(0)
      const words = () => given.flatMap(([member, at]) => [...this.degrees(at), this.member.encode(member)])
      return this.write(() => ["GEOADD", this.key, ...words()], asNumber, notes)
    })
  }

  /** GEOPOS, O(1): undefined when it is not a member. */
  async position(member: W, notes?: CallNotes): Promise<GeoPoint | undefined> {
    return (await this.positions([member], notes))[0]
  }

  /** GEOPOS of many, O(members): in the same order. */
  positions(members: readonly W[], notes?: CallNotes): Promise<(GeoPoint | undefined)[]> {
    if (isNone(members)) return Promise.resolve([])
    return this.read(
      () => ["GEOPOS", this.key, ...encodeAll(this.member, members)],
      (reply) => listOf(reply).map((raw) => (raw === null ? undefined : readPoint(raw))),
      asking(notes),
    )
  }

  /** GEODIST, O(1): undefined when one of them is not a member. */
  distance(one: W, other: W, unit: DistanceUnit = "m", notes?: CallNotes): Promise<number | undefined> {
    return this.read(
      () => ["GEODIST", this.key, this.member.encode(one), this.member.encode(other), unit],
      numberOrNone,
      asking(notes),
    )
  }

  /**
   * GEOSEARCH, O(members in and about the area): nearest first by default.
   *
   *     await db.shops().search({ around: { longitude: 13.36, latitude: 38.11 }, radius: 5, unit: "km" })
   */
  search(area: GeoArea<W>, notes?: SearchNotes): Promise<GeoFound<R>[]> {
    return this.read(
      () => ["GEOSEARCH", this.key, ...this.areaWords(area), ...cutWords(notes), "WITHCOORD", "WITHDIST"],
      (reply) => listOf(reply).map((raw) => this.decodeFound(listOf(raw))),
      asking(notes, this.member.decodeBytes !== undefined),
    )
  }

  /** ZREM, O(members × log n): how many were there. */
  remove(...members: W[]): Promise<number> {
    return this.removeMany(members)
  }

  /** ZREM of many, O(members × log n): how many were there. */
  removeMany(members: readonly W[], notes?: WriteNotes & OnceNotes): Promise<number> {
    if (isNone(members)) return Promise.resolve(0)
    return this.writeOnce(() => ["ZREM", this.key, ...encodeAll(this.member, members)], asNumber, notes)
  }

  /** ZCARD, O(1). */
  size(notes?: CallNotes): Promise<number> {
    return this.read(["ZCARD", this.key], asNumber, asking(notes))
  }

  private get member(): AnyCodec {
    return this.ready.declared.shape["member"] as AnyCodec
  }

  private areaWords(area: GeoArea<W>): Wire[] {
    const { unit = "m" } = area
    const middle =
      "around" in area
        ? ["FROMLONLAT", ...this.degrees(area.around)]
        : ["FROMMEMBER", this.member.encode(area.aroundMember)]
    const shape =
      "radius" in area ? ["BYRADIUS", length(area.radius)] : ["BYBOX", length(area.width), length(area.height)]
    return [...middle, ...shape, unit]
  }

  private degrees({ longitude, latitude }: GeoPoint): string[] {
    const isSecret = this.ready.declared.secret === true
    if (!isWithin(longitude, 180)) throw argumentRefused("a longitude", "from -180 to 180", longitude, isSecret)
    if (!isWithin(latitude, MOST_LATITUDE))
      throw argumentRefused("a latitude", `from -${MOST_LATITUDE} to ${MOST_LATITUDE}`, latitude, isSecret)
    return [String(longitude), String(latitude)]
  }

  private decodeFound([member, distance, place]: readonly Reply[]): GeoFound<R> {
    return {
      member: this.decodePart<R>(this.member, member!, "a member"),
      distance: numberIn(distance),
      ...readPoint(place!),
    }
  }
}

/** The limit of Web Mercator, and of Redis. */
const MOST_LATITUDE = 85.05112878

const isWithin = (degrees: unknown, most: number): boolean =>
  isFiniteNumber(degrees) && Math.abs(Number(degrees)) <= most

function length(value: number): string {
  if (!(value >= 0 && Number.isFinite(value))) throw argumentRefused("a length", "a number from 0 on", value)
  return String(value)
}

const cutWords = ({ limit, order = "nearest" }: SearchNotes = {}): string[] => [
  order === "nearest" ? "ASC" : "DESC",
  ...(limit === undefined ? [] : ["COUNT", amount(limit)]),
]

function readPoint(raw: Reply): GeoPoint {
  const [longitude, latitude] = listOf(raw)
  return { longitude: numberIn(longitude), latitude: numberIn(latitude) }
}
