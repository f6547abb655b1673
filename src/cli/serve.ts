import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { pageTokens } from '../auth/page-links.ts'
import { setupToken } from '../auth/setup-token.ts'
import { updateTemplates } from '../booking/packs/pack-templates.ts'
import { BusyCalendarReader } from '../busy/busy-calendar-reader.ts'
import { type DatabaseConfig, readDatabaseConfig, readServiceConfig, type ServiceConfig } from '../config.ts'
import { purgeLoginAttempts } from '../db/accounts/login-attempts.ts'
import { purgeExpiredLinks } from '../db/accounts/password-links.ts'
import { purgeExpiredFamilies } from '../db/accounts/refresh-tokens.ts'
import { purgeUsedChallenges } from '../db/accounts/used-challenges.ts'
import { requireServerSettings } from '../db/connection/connect.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { purgeKeptAnswers } from '../db/idempotency-keys.ts'
import { purgeMails } from '../db/messages/mails.ts'
import { purgeMessages } from '../db/messages/message-outbox.ts'
import { prepareHolidays } from '../db/school/holidays.ts'
import { hasTenants } from '../db/school/tenants.ts'
import { purgeEnquiries } from '../db/students/enquiries.ts'
import { vacuumTables } from '../db/upkeep/vacuum.ts'
import { purgeDeliveries } from '../db/webhooks/webhook-deliveries.ts'
import { serviceUrl } from '../http/requests/public-url.ts'
import type { App } from '../http/service.ts'
import type { StudentPages } from '../mail/availability-rounds.ts'
import type { MailDispatcher } from '../mail/mail-dispatcher.ts'
import type { MessageDispatcher } from '../mail/message-dispatcher.ts'
import { noteDueStudents } from '../mail/retention-notices.ts'
import { pushSenderFor } from '../webhooks/push.ts'
import { WebhookDispatcher } from '../webhooks/webhook-dispatcher.ts'
import { webhookSenderFor } from '../webhooks/webhook-sender.ts'
import { listenForCommands, type Runner } from './admin-socket.ts'
import { asksForHelp, type DataContext, type ProcessCommand, valuesFor } from './command.ts'
import { withTransferredFile } from './command-file.ts'
import { requireFreePorts } from './free-ports.ts'
import { logOutput } from './log-output.ts'
import { openDatabase } from './open-database.ts'
import { exitCodeOf, findDataCommand, runDataCommand } from './run-data-command.ts'
import { startedAs } from './started-as.ts'
import { onStopSignal, type Stopping } from './stopping.ts'
import { type DiskWatch, watchDisk } from './watch-disk.ts'
import { watchEventLoop } from './watchdog.ts'

const FIRST_HOUSEKEEPING_MS = 60 * 1000
const HOUSEKEEPING_MS = 60 * 60 * 1000

export const serve: ProcessCommand = {
  kind: 'process',
  name: 'serve',
  summary: 'Serve the API. The environment configures it: see docs/operations.md.',
  options: {},
  run: async ({ env, terminal }) => {
    const config = readServiceConfig(env)
    let isEmpty = false
    const running = await start({
      config,
      database: readDatabaseConfig(env),
      command: 'serve',
      prepare: async (db) => {
        isEmpty = !(await hasTenants(db))
      },
    })
    if (isEmpty) {
      const page = `${config.publicUrl ?? running.url}/setup`
      terminal.err(`There is no driving school yet. Create one: ${page}#${setupToken(config.jwtSecret)}`)
      // Without the token: the log may be read by people who must not set up the school.
      running.log.warn(
        `There is no driving school yet. Create one at ${page}, with the link on standard error, or with: ${startedAs()} tenant create --name NAME --country DE --timezone Europe/Berlin --locale de`,
      )
    }
  },
}

export type RunningService = {
  readonly url: string
  readonly db: DatabasePool
  readonly log: { readonly warn: (message: string) => void }
}

type Plan = {
  readonly config: ServiceConfig
  readonly database: DatabaseConfig
  readonly command: string
  /** Runs on the open database before the service listens. */
  readonly prepare?: (db: DatabasePool) => Promise<void>
}

/** Opens the database, listens, and stops gracefully on SIGTERM and SIGINT. */
export async function start(plan: Plan): Promise<RunningService> {
  const stopping = onStopSignal()
  try {
    const running = await startUnder(stopping, plan)
    stopping.started()
    return running
  } catch (error) {
    await stopping.undo()
    throw error
  }
}

async function startUnder(
  stopping: Stopping,
  { config, database, command, prepare }: Plan,
): Promise<RunningService> {
  await requireFreePorts(config)
  let report = (error: Error) => console.error(error.message)
  const opening = {
    command,
    makesDatabase: true,
    report: (error: Error) => report(error),
    progress: console.error,
  }
  const { db, asOwner, migrations, close } = await openDatabase(database, opening)
  stopping.before(close)
  if (database.kind === 'postgres') await requireServerSettings(db)
  await updateTemplates(db)
  await prepare?.(db)
  // Loaded only here: loading takes as long as everything else, and short commands do not need it.
  const { createApp } = await import('../http/app.ts')
  const { app, service } = await createApp({
    db,
    ...(asOwner && { asOwner }),
    config,
    logStream: logOutput(),
    isStopping: stopping.isStopping,
  })
  report = (error) =>
    app.log.error({ err: error, event: 'database_connection_lost' }, 'database connection lost')
  if (migrations.length > 0) app.log.info({ migrations }, 'migrated')
  const mailDispatcher = await startMailDispatcher(config, db, app)
  if (mailDispatcher) stopping.before(() => mailDispatcher.stop())
  const { webhookSecrets: secrets, addresses, pushKeys: keys } = service
  const sendBy = {
    webhook: webhookSenderFor({ db, secrets, addresses }),
    push: pushSenderFor({ db, addresses, keys }),
  }
  const pages: StudentPages = {
    tokenFor: pageTokens(config.jwtSecret),
    unsubscribeTokenFor: (recipient) => service.unsubscribeTokens.tokenFor(recipient),
    base: () => serviceUrl(app, service),
  }
  const messageDispatcher = await startMessageDispatcher(config, { db, log: app.log, sendBy, pages })
  const webhookDispatcher = new WebhookDispatcher({ db, log: app.log, secrets, addresses })
  stopping.before(() => webhookDispatcher.stop())
  const busyCalendarReader = new BusyCalendarReader({
    db,
    log: app.log,
    secrets: service.busyAddresses,
    addresses,
  })
  stopping.before(() => busyCalendarReader.stop())
  stopping.before(() => messageDispatcher.stop())
  if (config.metricsPort !== undefined) {
    const { measure, measureMail, serveMetrics } = await import('../http/metrics.ts')
    const registry = measure(app, service)
    if (mailDispatcher) measureMail(registry, db, mailDispatcher.counts)
    const metrics = await serveMetrics(registry, { host: config.metricsHost, port: config.metricsPort })
    stopping.before(async () => void metrics.close())
  }
  let disk: DiskWatch | undefined
  if (database.kind === 'embedded') {
    watchEventLoop(database.dataDir)
    disk = watchDisk(database.dataDir, db, app.log)
    stopping.before(async () => disk?.stop())
    const { dataDir } = database
    const run = loggedRunner(app, { db, dataDir, onRevoked: (ids) => service.sessions.forget(ids) })
    stopping.before(await listenForCommands(database.dataDir, run))
  }
  await prepareHolidays(db)
  const url = await app.listen({ host: config.host, port: config.port })
  stopping.before(() => app.close())
  stopping.atLast(() => app.server.closeAllConnections())
  // SIGINT does not drain: a person at the keyboard does not want to wait.
  stopping.before(async (signal) => {
    app.log.info({ event: 'stopping', signal }, 'stopping')
    if (signal === 'SIGTERM') await drain(app.server)
  })
  const keep = () => {
    if (disk?.isLow()) return
    keepHouse(db, database)
      .then(() => noteDueStudents(db, { log: app.log, isStopping: stopping.isStopping }))
      .catch(report)
  }
  const timers = [setTimeout(keep, FIRST_HOUSEKEEPING_MS), setInterval(keep, HOUSEKEEPING_MS)]
  stopping.before(async () => timers.forEach(clearInterval))
  // The dispatchers send nothing new after the signal. Their stops are awaited once no request can queue more.
  stopping.before(async () => void webhookDispatcher.stop())
  stopping.before(async () => void busyCalendarReader.stop())
  stopping.before(async () => void mailDispatcher?.stop())
  stopping.before(async () => void messageDispatcher.stop())
  return { url, db, log: app.log }
}

async function startMailDispatcher(
  { mail }: ServiceConfig,
  db: DatabasePool,
  { log }: Pick<App, 'log'>,
): Promise<MailDispatcher | undefined> {
  if (!mail) return undefined
  const { MailDispatcher } = await import('../mail/mail-dispatcher.ts')
  return new MailDispatcher({ db, log, config: mail })
}

/** The interval without mail: messages by webhook and to devices need not be looked for as often. */
const LOOK_WITHOUT_MAIL_MS = 60_000

async function startMessageDispatcher(
  { mail: config }: ServiceConfig,
  options: Omit<ConstructorParameters<typeof MessageDispatcher>[0], 'config' | 'intervals'>,
): Promise<MessageDispatcher> {
  const { MESSAGE_INTERVALS } = await import('../mail/message-intervals.ts')
  const { MessageDispatcher } = await import('../mail/message-dispatcher.ts')
  const intervals = config ? MESSAGE_INTERVALS : { ...MESSAGE_INTERVALS, look: LOOK_WITHOUT_MAIL_MS }
  return new MessageDispatcher({ ...options, config, intervals })
}

/** Runs commands for the command line and logs their names, not their arguments, which may be personal data. */
function loggedRunner(
  { log }: App,
  context: Pick<DataContext, 'db' | 'onRevoked'> & { readonly dataDir: string },
): Runner {
  return async (argv, terminal, fileTransfer) => {
    const found = findDataCommand(argv)
    const run = (file?: string) => runDataCommand(argv, { ...context, terminal, file })
    let exit_code = 0
    const refusal = await exitCodeOf(terminal.err, async () => {
      exit_code =
        found && !asksForHelp(found.rest)
          ? await withTransferredFile(
              found.command,
              { ...context, fileTransfer, values: valuesFor(found.command, found.rest) },
              run,
            )
          : await run()
    })
    exit_code ||= refusal
    const command = found?.command.name ?? 'unknown'
    log.info({ event: 'command', command, exit_code }, 'command')
    return exit_code
  }
}

async function keepHouse(db: DatabasePool, { kind }: DatabaseConfig): Promise<void> {
  await purgeExpiredFamilies(db)
  await purgeLoginAttempts(db)
  await purgeExpiredLinks(db)
  await purgeKeptAnswers(db)
  await purgeMails(db)
  await purgeDeliveries(db)
  await purgeMessages(db)
  await purgeUsedChallenges(db)
  await purgeEnquiries(db)
  // A PostgreSQL server does this itself.
  if (kind === 'embedded') await vacuumTables(db)
}

/** Milliseconds for load balancers to read `/readyz`, and for clients to get `Connection: close`, before connections close. */
const DRAIN_MS = 3_000
const LOOK_MS = 50

/** Waits until all connections are closed or `DRAIN_MS` is over. */
async function drain(server: Server): Promise<void> {
  const end = Date.now() + DRAIN_MS
  while (Date.now() < end && (await connectionsTo(server)) > 0) await pause(LOOK_MS)
}

function connectionsTo(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}
