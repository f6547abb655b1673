import type { Bootstrap } from '../../contract/bootstrap.ts'
import type { Tenant, TenantChange } from '../../contract/tenant.ts'
import { bootstrap } from './bootstrap.ts'
import { patchRead } from './patch-read.ts'
import { changing } from './write-queue.ts'

/** Changes the school; the names that come with another language are read when its change is heard of. */
export const changeTenant = changing<Tenant, TenantChange>({
  path: '/tenant',
  isSingle: true,
  store: (client, tenant) =>
    patchRead<Bootstrap>(client, bootstrap.queryKey, (read) => ({ ...read, tenant })),
})
