/** A process that is neither dead nor a zombie. */
export interface LivingProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

export interface TrackedMember extends LivingProcess {
  readonly trackingId: string;
}

/** The variable in a job's environment by which its processes are known, wherever they went. */
export const TRACKING_VARIABLE = 'BATON_JOB';
