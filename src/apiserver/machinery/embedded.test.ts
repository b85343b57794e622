import { testConversation } from '../recorded/testing.js';

testConversation('types');
