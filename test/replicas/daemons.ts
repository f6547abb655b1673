import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, isListening, ROOT, until } from '../support/process.ts'

/** The pooling mode of pgbouncer. */
export type PoolMode = 'session' | 'transaction'

/** A running system program with a configuration from `deploy`. */
export type Daemon = { readonly port: number; readonly pid: number; readonly stop: () => Promise<void> }

/** The pool sizes: test files run concurrently, each with its own pools. */
const SIZES = { session: 120, transaction: 20 }

/** The folders of programs: Debian keeps daemons outside a user's `PATH`. */
const FOLDERS = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']

/** Returns the operator's file with this machine's values. Throws if it lacks a text to replace. */
export function configured(file: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/${file} has no "${from}"`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(ROOT, 'deploy', file), 'utf8'),
  )
}

/** Starts nginx in front of the processes on these two ports. */
export async function startNginx([first, second]: readonly [number, number]): Promise<Daemon> {
  return runNginx('replicas/nginx.conf', {
    '127.0.0.1:8081': `127.0.0.1:${first}`,
    '127.0.0.1:8082': `127.0.0.1:${second}`,
  })
}

/** Starts nginx to serve the web app's files in this folder. */
export async function startNginxOver(root: string): Promise<Daemon> {
  return runNginx('web/nginx.conf', { '/var/www/fahrplan': root })
}

async function runNginx(file: string, replacements: Readonly<Record<string, string>>): Promise<Daemon> {
  const folder = await aFolder()
  const port = await freePort()
  const site = configured(file, { ...replacements, 'listen 80': `listen 127.0.0.1:${port}` })
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const main = `daemon off; pid ${folder}/pid; worker_processes 1; error_log stderr crit;
    events { worker_connections 2048; } http { access_log off; add_header X-Upstream $upstream_addr always; ${folders.join(' ')} ${site} }`
  await writeFile(join(folder, 'nginx.conf'), main)
  return start('nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], { folder, port })
}

/** Starts pgbouncer in front of the database at this address, for the role in the address. */
export async function startPgbouncer(address: string, mode: PoolMode, size = SIZES[mode]): Promise<Daemon> {
  const { hostname, port: serverPort, pathname, username, password } = new URL(address)
  const folder = await aFolder()
  const port = await freePort()
  const users = join(folder, 'userlist.txt')
  const database = pathname.slice(1)
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  const settings = configured('replicas/pgbouncer.ini', {
    'fahrplan = host=127.0.0.1 port=5432 dbname=fahrplan': `${database} = host=${hostname} port=${serverPort} dbname=${database}`,
    'listen_port = 6432': `listen_port = ${port}`,
    '/etc/pgbouncer/userlist.txt': users,
    'pool_mode = session': `pool_mode = ${mode}`,
    'default_pool_size = 40': `default_pool_size = ${size}`,
  })
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, settings)
  // pgbouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  return start('pgbouncer', ['-q', ...user, file], { folder, port })
}

async function start(
  name: 'nginx' | 'pgbouncer',
  argv: readonly string[],
  { folder, port }: { folder: string; port: number },
): Promise<Daemon> {
  const child = spawn(pathOf(name), [...argv], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const stop = async () => {
    await end(child)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await until(async () => child.exitCode !== null || isListening(port))
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}:\n${said}`)
  } catch (error) {
    await stop()
    throw error
  }
  return { port, pid: child.pid ?? 0, stop }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

function pathOf(name: string): string {
  const path = FOLDERS.map((folder) => join(folder, name)).find(isExecutable)
  if (path) return path
  throw new Error(`${name} is not installed. On Debian: apt-get install -y nginx-light pgbouncer`)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Makes a folder that a daemon can still enter after it has given up root. */
async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fahrplan-replicas-'))
  await chmod(folder, 0o755)
  return folder
}
