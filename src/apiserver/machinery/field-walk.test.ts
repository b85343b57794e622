import { testConversation } from '../recorded/testing.js';

testConversation('apply');
testConversation('orders');
