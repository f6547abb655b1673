import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Server, startServer } from './process.ts'

export const HERE = join(import.meta.dirname, '..')

/** The service's repository, or another, possibly older one to compare with. */
export type Checkout = {
  readonly folder: string
  /** Loads a module of the checkout. Each checkout fills its database with its own code, because schemas differ. */
  readonly load: <Module>(path: string) => Promise<Module>
  /** Starts the service as `npm start` does, with the same flags of V8. */
  readonly serve: (env: Readonly<Record<string, string>>) => Promise<Server>
  readonly start: (args: readonly string[], env: Readonly<Record<string, string>>) => Promise<Server>
}

export function checkoutIn(path: string): Checkout {
  const folder = resolve(path)
  for (const part of ['bin/fahrplan.js', 'node_modules'])
    if (!existsSync(join(folder, part))) throw new Error(`${join(folder, part)} is missing`)
  return {
    folder,
    load: (file) => import(pathToFileURL(moduleIn(folder, file)).href),
    serve: (env) => startServer(startArguments(folder), env, folder),
    start: (args, env) => startServer(args, env, folder),
  }
}

/** Returns the path of a module. An older checkout may have the file in another folder of the same part. */
export function moduleIn(folder: string, file: string): string {
  if (existsSync(join(folder, file))) return join(folder, file)
  const part = join(folder, ...file.split('/').slice(0, 2))
  const found = existsSync(part) ? readdirSync(part, { recursive: true, encoding: 'utf8' }) : []
  const [path, another] = found.filter((one) => basename(one) === basename(file))
  if (path === undefined || another !== undefined)
    throw new Error(`${folder} is too old to compare with, or too new: it has no ${file}`)
  return join(part, path)
}

function startArguments(folder: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return String(scripts.start)
    .replace(/^(?:exec )?node /, '')
    .split(' ')
}
