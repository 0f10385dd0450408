import { plainText } from '@baton/core';
import * as z from 'zod';

export const settingKey = () => plainText(200);
export const scope = () => z.enum(['workspace', 'user']);
