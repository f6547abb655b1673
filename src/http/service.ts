import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { AccessTokens } from '../auth/access-token.ts'
import type { ApiTokens } from '../auth/api-tokens.ts'
import type { BusyAddresses } from '../auth/busy-addresses.ts'
import type { Challenges } from '../auth/challenges.ts'
import type { LinkSeals } from '../auth/link-seals.ts'
import type { OfferLinkSecrets } from '../auth/offer-links.ts'
import type { PushKeys } from '../auth/push-keys.ts'
import type { RefreshSecrets } from '../auth/refresh-secrets.ts'
import type { Sessions } from '../auth/session.ts'
import type { StudentVerifications } from '../auth/student-verifications.ts'
import type { TotpSecrets } from '../auth/totp-secrets.ts'
import type { UnsubscribeTokens } from '../auth/unsubscribe-tokens.ts'
import type { WebhookSecrets } from '../auth/webhook-secrets.ts'
import type { ServiceConfig } from '../config.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import type { Clock } from '../db/now.ts'
import type { Issuers } from '../sso/issuers.ts'
import type { ProviderSecrets } from '../sso/provider-secrets.ts'
import type { SsoRequests } from '../sso/sso-requests.ts'
import type { Addresses } from '../webhooks/addresses.ts'
import type { FairQueue } from './load/fair-queue.ts'
import type { ShedRequests } from './load/shed-requests.ts'
import type { RefusedTokens } from './requests/refused-tokens.ts'
import type { RequestCounter } from './requests/request-counter.ts'

/** The Fastify application, typed by the schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** The longest waits, in milliseconds. */
export type Timeouts = {
  /** For a turn. */
  readonly turn: number
  /** From the head of a request until its response begins. */
  readonly answer: number
  /** For a client that reads nothing of its response. */
  readonly reader: number
}

export type AsOwner = <Result>(work: (db: DatabasePool) => Promise<Result>) => Promise<Result>

/** The context of the routes. `now` is the clock; `isStopping` turns readiness off. */
export type Service = {
  readonly db: DatabasePool
  /** Runs work with the database role that owns the tables: the service's own may only add to the log. */
  readonly asOwner: AsOwner
  readonly config: ServiceConfig
  readonly now: () => Date
  /** The clock of queues, if it is not the database's. */
  readonly databaseClock?: Clock
  readonly isStopping: () => boolean
  readonly sessions: Sessions
  readonly accessTokens: AccessTokens
  readonly apiTokens: ApiTokens
  readonly challenges: Challenges
  readonly refreshSecrets: RefreshSecrets
  readonly offerLinks: OfferLinkSecrets
  readonly linkSeals: LinkSeals
  readonly unsubscribeTokens: UnsubscribeTokens
  readonly webhookSecrets: WebhookSecrets
  readonly busyAddresses: BusyAddresses
  readonly totpSecrets: TotpSecrets
  readonly issuers: Issuers
  readonly providerSecrets: ProviderSecrets
  readonly ssoRequests: SsoRequests
  /** Undefined if no messages can be sent to devices. */
  readonly pushKeys: PushKeys | undefined
  /** The addresses that webhooks and push services may have. */
  readonly addresses: Addresses
  readonly refusedTokens: RefusedTokens
  /** Counts unknown links by network to slow their clients down. Guessing one (256 bits) is impossible anyway. */
  readonly unknownLinkCounter: RequestCounter
  /** Counts the enquiries that are sent, by network and by school. */
  readonly enquiries: { readonly ofNetwork: RequestCounter; readonly ofSchool: RequestCounter }
  /** Counts the actions of students on their pages, by link. */
  readonly pageActs: RequestCounter
  readonly studentVerifications: StudentVerifications
  readonly timeouts: Timeouts
  readonly turns: FairQueue
  readonly shed: ShedRequests
  /** The tenant, user and key of each running request with a key. */
  readonly runningKeys: Set<string>
}

/** The prefix of every path of the API, with its version. */
export const API_PREFIX = '/api/v1'
