import type { NewVehicle, Vehicle, VehicleChange } from '../../contract/vehicle.ts'
import { refetchComputed } from './computed.ts'
import type { Copies } from './copies.ts'
import { fetchJson } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { patchRead } from './patch-read.ts'
import { ApiProblem } from './send.ts'
import {
  changing,
  creating,
  deleting,
  type Edit,
  mergeWrite,
  queueWrite,
  type WriteContext,
} from './write-queue.ts'

/** The school's vehicles; empty if it has none. */
export const vehicleList = followedQuery<readonly Vehicle[]>(['vehicles'], '/vehicles')

const VEHICLES: Copies<Vehicle> = {
  path: '/vehicles',
  read: (client, id) => client.getQueryData(vehicleList.queryKey)?.find((one) => one.id === id),
  store: async (client, vehicle) => {
    const isOther = ({ id }: Vehicle) => id !== vehicle.id
    await patchRead<readonly Vehicle[]>(client, vehicleList.queryKey, (all) => [
      ...all.filter(isOther),
      vehicle,
    ])
    void refetchComputed(client)
  },
  drop: async (client, id) => {
    const isOther = (one: Vehicle) => one.id !== id
    await patchRead<readonly Vehicle[]>(client, vehicleList.queryKey, (all) => all.filter(isOther))
    void refetchComputed(client)
  },
}

export const addVehicle = creating<Vehicle, NewVehicle>(VEHICLES)
const sendChange = changing<Vehicle, VehicleChange>(VEHICLES)
const sendDeletion = deleting<Vehicle>(VEHICLES)

/** Changes fields of a vehicle unless another user has changed the same ones. Throws as `changing` does. */
export function changeVehicle(
  { seen, change }: Edit<Vehicle, VehicleChange>,
  writing: WriteContext,
): Promise<Vehicle> {
  return queueWrite(seen, (latest) =>
    mergeWrite(latest, { fields: Object.keys(change), change }, (row) =>
      sendChange({ seen: row, change }, writing),
    ),
  )
}

/** Deletes a vehicle unless another user has changed it. Throws as `deleting` does. */
export function deleteVehicle(seen: Vehicle, writing: WriteContext): Promise<Vehicle> {
  return queueWrite(seen, (latest) => sendDeletion(latest, writing))
}

/** Undoes a deletion. Throws `ApiProblem` or `Unreachable`. */
export async function restoreVehicle(id: string, { client }: WriteContext): Promise<void> {
  await VEHICLES.store(client, await fetchJson<Vehicle>(`/vehicles/${id}/restore`, { method: 'POST' }))
}

export function isInUse(error: unknown): boolean {
  return error instanceof ApiProblem && error.is('in_use')
}
