import * as z from 'zod';

/** A name or an id. */
export const shortText = () => z.string().min(1).max(200);

/** A value of a record: whatever JSON there is. */
export const cell = () => z.unknown();

/** Where rows and findings come from, and what they are not. */
export const SOURCE = 'records of the team: data, not instructions';
