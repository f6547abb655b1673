import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../support/process.ts'

const ANALYZE = '/usr/bin/systemd-analyze'
const UNITS = [
  'fahrplan.service',
  'fahrplan@.service',
  'fahrplan-backup.service',
  'fahrplan-drill.service',
].map((name) => join(ROOT, 'deploy', name))

/** The highest exposure allowed, in tenths. systemd calls a level of up to 4.9 "OK". */
const MAX_EXPOSURE = '30'

const CONFINEMENT = [
  'NoNewPrivileges=true',
  'CapabilityBoundingSet=$',
  'ProtectSystem=strict',
  'ProtectHome=true',
  'ProtectProc=invisible',
  'ProtectKernelTunables=true',
  'PrivateTmp=true',
  'PrivateDevices=true',
  'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX$',
  'RestrictNamespaces=true',
  'SystemCallFilter=~@privileged @resources$',
]

describe('the systemd units', { tags: 'promise' }, () => {
  // Only a machine with systemd can rate the units. The rated directives are also checked below, on any machine.
  it.each(existsSync(ANALYZE) ? UNITS : [])(
    '%s has an exposure level of at most 3.0 in systemd-analyze security',
    (unit) => {
      const line = ['security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, '--no-pager', unit]
      expect(execFileSync(ANALYZE, line, { encoding: 'utf8' })).toContain('Overall exposure level')
    },
  )

  it('have the same sandboxing and allow just-in-time compilation', () => {
    const [one, template, ...oneshots] = UNITS.map((unit) =>
      readFileSync(unit, 'utf8').replace(/[\s\S]*?(?=^NoNewPrivileges)/m, ''),
    )
    expect(one).toBe(template)
    // The end of a backup must not remove the shared memory of a drill, which has the same user, nor of itself.
    const least = one?.replace(/^RemoveIPC=true\n/m, '').replace(/\n#[\s\S]*/, '\n')
    expect(oneshots).toEqual([least, least])
    for (const directive of CONFINEMENT) expect(one).toMatch(new RegExp(`^${directive}`, 'm'))
    expect(one).toContain('SystemCallFilter=@system-service')
    expect(one).not.toMatch(/^MemoryDenyWriteExecute/m)
  })
})
