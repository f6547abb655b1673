import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify from 'fastify'
import type { DestinationStream } from 'pino'
import { AccessTokens } from '../auth/access-token.ts'
import { ApiTokens } from '../auth/api-tokens.ts'
import { BusyAddresses } from '../auth/busy-addresses.ts'
import { Challenges } from '../auth/challenges.ts'
import { LinkSeals } from '../auth/link-seals.ts'
import { OfferLinkSecrets } from '../auth/offer-links.ts'
import { pushKeysOf } from '../auth/push-keys.ts'
import { RefreshSecrets } from '../auth/refresh-secrets.ts'
import { Sessions } from '../auth/session.ts'
import { StudentVerifications } from '../auth/student-verifications.ts'
import { TotpSecrets } from '../auth/totp-secrets.ts'
import { UnsubscribeTokens } from '../auth/unsubscribe-tokens.ts'
import { WebhookSecrets } from '../auth/webhook-secrets.ts'
import { pushContact, type ServiceConfig } from '../config.ts'
import { schemas } from '../contract/schemas.ts'
import { Issuers } from '../sso/issuers.ts'
import { ProviderSecrets } from '../sso/provider-secrets.ts'
import { SsoRequests } from '../sso/sso-requests.ts'
import { Addresses } from '../webhooks/addresses.ts'
import { healthRoutes } from './health.ts'
import { boundWaits, TIMEOUTS } from './load/deadlines.ts'
import { type Bounds, boundsFor, FairQueue } from './load/fair-queue.ts'
import { OpenResponses } from './load/open-responses.ts'
import { BoundedRequest } from './load/pipelines.ts'
import { queueRequests } from './load/queue-requests.ts'
import { ShedRequests } from './load/shed-requests.ts'
import { documentRoutes } from './pages/docs.ts'
import { notFoundPageSender, WEB_ROOT, webRoutes } from './pages/static-web.ts'
import { loggerFor, RequestLog } from './request-log.ts'
import { authenticate, authenticateAgain } from './requests/authenticate.ts'
import { readerChecks } from './requests/check-reader.ts'
import { readJsonOnly } from './requests/json-body.ts'
import { countOfHosts, hostHeaderProblem } from './requests/one-host.ts'
import { openLink } from './requests/open-link.ts'
import { RefusedTokens } from './requests/refused-tokens.ts'
import { RequestCounter } from './requests/request-counter.ts'
import { validateRequests } from './requests/validation.ts'
import { BASE_HEADERS, EXPOSED_HEADERS } from './responses/base-headers.ts'
import { brokenRequestHandler } from './responses/broken-request.ts'
import { compressResponses } from './responses/compression.ts'
import { sendProblem } from './responses/problems.ts'
import { compileSerializersOnce } from './responses/serializers.ts'
import { refuseUnknownRoutes } from './responses/unknown-routes.ts'
import { absenceRoutes } from './routes/absences.ts'
import { apiTokenRoutes } from './routes/api-tokens.ts'
import { appointmentRoutes } from './routes/appointments.ts'
import { assistantRoutes } from './routes/assistant.ts'
import { attendeeRoutes } from './routes/attendees.ts'
import { authRoutes } from './routes/auth.ts'
import { availabilityRoutes } from './routes/availability.ts'
import { batchRoutes } from './routes/batches.ts'
import { bootstrapRoutes } from './routes/bootstrap.ts'
import { busyCalendarRoutes } from './routes/busy-calendars.ts'
import { calendarRoutes } from './routes/calendars.ts'
import { cancellationRoutes } from './routes/cancellations.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { changeRoutes } from './routes/changes.ts'
import { closedDayRoutes } from './routes/closed-days.ts'
import { creditRoutes } from './routes/credits.ts'
import { emailChangeRoutes } from './routes/email-changes.ts'
import { enquiryRoutes } from './routes/enquiries.ts'
import { enrolmentRoutes } from './routes/enrolments.ts'
import { erasureRoutes } from './routes/erasures.ts'
import { exportRoutes } from './routes/exports.ts'
import { identityProviderRoutes } from './routes/identity-provider.ts'
import { importRoutes } from './routes/imports.ts'
import { inboxRoutes } from './routes/inbox.ts'
import { instructorRoutes } from './routes/instructors.ts'
import { locationRoutes } from './routes/locations.ts'
import { messageRoutes } from './routes/messages.ts'
import { minutesRoutes } from './routes/minutes.ts'
import { numbersRoutes } from './routes/numbers.ts'
import { offerRoutes } from './routes/offers.ts'
import { openingBalanceRoutes } from './routes/opening-balance.ts'
import { ownSchoolRoutes } from './routes/own-schools.ts'
import { ownSessionRoutes } from './routes/own-sessions.ts'
import { passkeyLoginRoutes } from './routes/passkey-login.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { passwordLinkRoutes } from './routes/password-links.ts'
import { personDataRoutes } from './routes/person-data.ts'
import { planRoutes } from './routes/plans.ts'
import { printedRecordRoutes } from './routes/printed-records.ts'
import { publicPages } from './routes/public-pages.ts'
import { recordRoutes } from './routes/records.ts'
import { retentionRoutes } from './routes/retention.ts'
import { scheduleRequestRoutes } from './routes/schedule-requests.ts'
import { schoolFileRoutes } from './routes/school-file.ts'
import { secondFactorRoutes } from './routes/second-factor.ts'
import { seriesRoutes } from './routes/series.ts'
import { setupRoutes } from './routes/setup.ts'
import { signatureRoutes } from './routes/signatures.ts'
import { slotRoutes } from './routes/slots.ts'
import { ssoRoutes } from './routes/sso.ts'
import { studentLinkRoutes } from './routes/student-links.ts'
import { studentRoutes } from './routes/students.ts'
import { tenantRoutes } from './routes/tenant.ts'
import { tickRoutes } from './routes/ticks.ts'
import { totpRoutes } from './routes/totp.ts'
import { userRoutes } from './routes/users.ts'
import { vehicleRoutes } from './routes/vehicles.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { wishRoutes } from './routes/wishes.ts'
import { API_PREFIX, type App, type Service, type Timeouts } from './service.ts'

const BODY_LIMIT = 256 * 1024
/** Node closes further connections at once. */
const MAX_CONNECTIONS = 10_000
type AppOptions = Pick<Service, 'db' | 'config'> &
  Partial<Pick<Service, 'asOwner' | 'now' | 'databaseClock' | 'isStopping'>> & {
    readonly logStream?: DestinationStream
    /** The folder of the built web app. */
    readonly webRoot?: string
    readonly timeouts?: Timeouts
    readonly bounds?: Bounds
  }

/** Builds the Fastify application, not yet listening, and the context of its routes. */
export async function createApp(options: AppOptions): Promise<{ app: App; service: Service }> {
  const { db, config, logStream, webRoot = WEB_ROOT, timeouts = TIMEOUTS } = options
  const { bounds = boundsFor(db.pool.options.max) } = options
  const addresses = new Addresses(config.webhookAllowedNetworks)
  const app: App = fastify(serverOptions(config, logStream)).withTypeProvider<TypeBoxTypeProvider>()
  const service: Service = {
    timeouts,
    turns: new FairQueue(bounds),
    shed: new ShedRequests(app.log),
    runningKeys: new Set(),
    now: () => new Date(),
    isStopping: () => false,
    asOwner: (work) => work(db),
    ...options,
    sessions: new Sessions(db),
    accessTokens: new AccessTokens(config.jwtSecret),
    apiTokens: new ApiTokens(db),
    challenges: new Challenges(config.jwtSecret),
    refreshSecrets: new RefreshSecrets(config.jwtSecret),
    offerLinks: new OfferLinkSecrets(config.jwtSecret),
    linkSeals: new LinkSeals(config.jwtSecret),
    unsubscribeTokens: new UnsubscribeTokens(config.jwtSecret),
    webhookSecrets: new WebhookSecrets(config.jwtSecret),
    busyAddresses: new BusyAddresses(config.jwtSecret),
    totpSecrets: new TotpSecrets(config.jwtSecret),
    pushKeys: pushKeysOf(config.jwtSecret, pushContact(config)),
    addresses,
    issuers: new Issuers(addresses),
    providerSecrets: new ProviderSecrets(config.jwtSecret),
    ssoRequests: new SsoRequests(config.jwtSecret),
    refusedTokens: new RefusedTokens(options.now ?? (() => new Date())),
    // A calendar app that polls a revoked feed stays far below this limit.
    unknownLinkCounter: new RequestCounter(60, 15),
    pageActs: new RequestCounter(30, 60),
    enquiries: { ofNetwork: new RequestCounter(20, 60), ofSchool: new RequestCounter(60, 60) },
    studentVerifications: new StudentVerifications(config.jwtSecret),
  }
  app.decorate('openResponses', new OpenResponses(service.shed, timeouts))
  app.server.maxConnections = MAX_CONNECTIONS
  // Node would reject an unknown expectation in its own format; most servers ignore it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.setErrorHandler(sendProblem)
  readJsonOnly(app)
  await protect(app, config)
  boundWaits(app, timeouts)
  for (const schema of schemas) app.addSchema(schema)
  // A client must not send another request on a connection that is about to close.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (service.isStopping()) reply.header('connection', 'close')
    done()
  })
  refuseUnknownRoutes(app, service, notFoundPageSender(webRoot))
  await documentRoutes(app, config)
  await webRoutes(app, webRoot)
  healthRoutes(app, service)
  await publicPages(app, service)
  await app.register(async (scope: App) => assistantRoutes(scope, service))
  await app.register(async (api: App) => apiRoutes(api, service), { prefix: API_PREFIX })
  return { app, service }
}

function serverOptions(config: ServiceConfig, logStream?: DestinationStream) {
  return {
    logger: loggerFor(config.logLevel, logStream),
    logController: new RequestLog(),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit: BODY_LIMIT,
    schemaController: { compilersFactory: { buildSerializer: compileSerializersOnce() } },
    // Above Node's limit for headers, so that a long id is a 404 like any unknown one.
    routerOptions: { maxParamLength: 20_000 },
    // Only for requests that never reach a route: the deadlines of `deadlines.ts` are shorter and more precise.
    requestTimeout: 2 * TIMEOUTS.answer,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle' as const,
    return503OnClosing: false,
    // Node would reject a missing Host in its own format.
    http: {
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
      IncomingMessage: BoundedRequest,
    },
    frameworkErrors: sendProblem,
    clientErrorHandler: brokenRequestHandler(config.corsOrigins),
  }
}

async function protect(app: App, { corsOrigins }: ServiceConfig): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(BASE_HEADERS).header('x-request-id', request.id)
    const { headers, raw } = request
    // RFC 9112 §3.2: HTTP/1.1 without Host, or any request with two, gets 400.
    const lacksHost = headers.host === undefined && raw.httpVersion === '1.1'
    done(lacksHost || countOfHosts(raw.rawHeaders) > 1 ? hostHeaderProblem() : undefined)
  })
  await app.register(cors, {
    origin: async (origin: string | undefined) =>
      origin !== undefined && corsOrigins.includes(origin) ? origin : false,
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'],
    exposedHeaders: [...EXPOSED_HEADERS],
    maxAge: 600,
    strictPreflight: false,
  })
  await app.register(cookie)
}

async function apiRoutes(api: App, service: Service): Promise<void> {
  await compressResponses(api)
  api.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.open && !config?.permission) throw new Error(`${method} ${url} names no permission`)
  })
  api.addHook('onRequest', async (request) => {
    const { open, link } = request.routeOptions.config
    if (link) await openLink(request, service)
    else if (!open) await authenticate(request, service)
  })
  queueRequests(api, service, readerChecks(service))
  authenticateAgain(api, service)
  validateRequests(api)
  authRoutes(api, service)
  setupRoutes(api, service)
  passwordLinkRoutes(api, service)
  emailChangeRoutes(api, service)
  ownSessionRoutes(api, service)
  apiTokenRoutes(api, service)
  ownSchoolRoutes(api, service)
  passkeyLoginRoutes(api, service)
  passkeyRoutes(api, service)
  secondFactorRoutes(api, service)
  totpRoutes(api, service)
  identityProviderRoutes(api, service)
  ssoRoutes(api, service)
  bootstrapRoutes(api, service)
  tenantRoutes(api, service)
  userRoutes(api, service)
  studentRoutes(api, service)
  openingBalanceRoutes(api, service)
  closedDayRoutes(api, service)
  enquiryRoutes(api, service)
  enrolmentRoutes(api, service)
  creditRoutes(api, service)
  erasureRoutes(api, service)
  personDataRoutes(api, service)
  retentionRoutes(api, service)
  tickRoutes(api, service)
  signatureRoutes(api, service)
  wishRoutes(api, service)
  availabilityRoutes(api, service)
  offerRoutes(api, service)
  planRoutes(api, service)
  importRoutes(api, service)
  exportRoutes(api, service)
  minutesRoutes(api, service)
  recordRoutes(api, service)
  numbersRoutes(api, service)
  printedRecordRoutes(api, service)
  schoolFileRoutes(api, service)
  instructorRoutes(api, service)
  vehicleRoutes(api, service)
  webhookRoutes(api, service)
  locationRoutes(api, service)
  messageRoutes(api, service)
  inboxRoutes(api, service)
  scheduleRequestRoutes(api, service)
  absenceRoutes(api, service)
  slotRoutes(api, service)
  appointmentRoutes(api, service)
  cancellationRoutes(api, service)
  seriesRoutes(api, service)
  batchRoutes(api, service)
  attendeeRoutes(api, service)
  changeRoutes(api, service)
  calendarRoutes(api, service)
  busyCalendarRoutes(api, service)
  studentLinkRoutes(api, service)
  catalogueRoutes(api, service)
}
